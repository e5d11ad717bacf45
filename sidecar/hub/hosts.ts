import { isIP } from 'node:net';
import { clientNetwork } from '../base/rate-limit.ts';
import { publicAddresses } from './outbound/address-rule.ts';

/**
 * The speed of a host's last response. A host is prompt once it has taken a delivery quickly, because an
 * attacker answers a verification quickly too.
 */
export const PACES = ['prompt', 'unknown', 'slow'] as const;
export type Pace = (typeof PACES)[number];

const SLOW_MS = 2_000;

/** Returns the pace of a host by the duration of its last delivery. */
export function paceOf(ms: number): Pace {
  return ms > SLOW_MS ? 'slow' : 'prompt';
}

/** Tells if a host is a private address: then it belongs to the operator. */
export function isPrivate(host: string): boolean {
  return isIP(host) > 0 && !publicAddresses.permits(host);
}

/** Platforms that give each customer a name of their own below one of these. */
const PLATFORMS = new Set(
  `amplifyapp.com appspot.com azurewebsites.net cloudfront.net deno.dev fly.dev github.io glitch.me
  herokuapp.com netlify.app ngrok-free.app ngrok.app onrender.com pages.dev railway.app run.app
  trycloudflare.com vercel.app web.app workers.dev`.split(/\s+/),
);

/**
 * Returns the domain of a host, near enough to the registered one to share places and limits by: the
 * network of an address; of a name the last two labels, or three below a platform, or if the last but
 * one is as short as that of `co.uk`.
 */
export function domainOf(host: string): string {
  if (isIP(host) > 0) return clientNetwork(host);
  const labels = host.split('.');
  const isShort = labels.length > 2 && labels.at(-1)!.length === 2 && labels.at(-2)!.length <= 3;
  return labels.slice(isShort || PLATFORMS.has(labels.slice(-2).join('.')) ? -3 : -2).join('.');
}
