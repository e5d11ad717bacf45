import { SEARCH_PAGE_PATH } from '../paths.ts';
import type { SearchFilters } from '../schema/search.ts';

export const ARCHIVE_PATH = '/reviews/';
export const INSIGHTS_PAGE_PATH = '/insights/';
export const FAQ_PATH = '/faq/';
export const DEVELOPERS_PATH = '/developers/';

/** @param id as in insights.json, e.g. `technical_knowledge` */
export function aspectPath(id: string): string {
  return `/insights/${id}/`;
}

export function technicianPath(id: string): string {
  return `/technicians/${id}/`;
}

export function servicePath(id: string): string {
  return `/services/${id}/`;
}

/** The search with these filters filled in. */
export function searchPath(filters: Partial<SearchFilters>): string {
  const parameters = Object.entries(filters).map(([name, value]) => [name, String(value)]);
  return `${SEARCH_PAGE_PATH}?${new URLSearchParams(parameters)}`;
}
