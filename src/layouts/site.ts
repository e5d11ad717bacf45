import { currentPublication } from '../publication.ts';

/** What every page says of the site it is part of. */
export interface Site {
  /** Origin, without a slash at the end. */
  baseUrl: string;
  businessName: string;
}

/** On demand the server names the site, since only it knows the edition; else the build does. */
export function siteOf(locals: App.Locals): Site {
  if (locals.site) return locals.site;
  const { baseUrl, dataset } = currentPublication();
  return { baseUrl, businessName: dataset.business.name };
}
