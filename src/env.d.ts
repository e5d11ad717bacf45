import type { SearchView } from './search/result.ts';
import type { Business } from './schema/business.ts';

declare global {
  namespace App {
    /** What the sidecar hands to a page that is rendered on demand. */
    interface Locals {
      site?: { baseUrl: string; business: Business };
      search?: SearchView;
    }
  }
}
