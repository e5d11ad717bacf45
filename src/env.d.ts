import type { SearchView } from './dataset/search/search-view.ts';
import type { Site } from './layouts/site.ts';

declare global {
  namespace App {
    /** What the sidecar hands to a page that is rendered on demand. */
    interface Locals {
      site?: Site;
      search?: SearchView;
    }
  }
}
