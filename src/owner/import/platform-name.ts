import { PLATFORMS } from '../../schema/platforms.ts';
import { slugOf } from '../../schema/primitives.ts';

/** Returns the id of a platform by its name or domain: `Booking.com`, `Google Maps`, `Trip Advisor`. */
export function platformNamed(name: string): string {
  const slug = slugOf(name);
  const short = slug.replace(/^www-|-(?:com|reviews?|maps|business|co-uk|[a-z]{2})$/g, '');
  const known = [slug, short, short.replaceAll('-', '')];
  return known.find(isPlatform) ?? slug;
}

/** Tells whether an id is that of a platform which this program knows. */
export function isPlatform(id: string): boolean {
  return Object.hasOwn(PLATFORMS, id);
}
