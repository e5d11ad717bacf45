import type { Business } from './schema/business.ts';
import type { SearchView } from './search/result.ts';

declare global {
  namespace App {
    /** Data that the sidecar gives to a page rendered on demand. */
    interface Locals {
      site?: { baseUrl: string; business: Business };
      search?: SearchView;
    }
  }
}
