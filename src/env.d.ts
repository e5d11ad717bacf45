/* oxlint-disable typescript/consistent-type-imports -- with an import, this would declare no modules */

declare namespace App {
  interface Locals {
    /** Set by the middleware, like the next one. */
    words: import('./messages/wording.ts').Wording;
    /** Beginning of the paths in a further language, e.g. `/es`; empty in the main one. */
    prefix: string;
    /** Handed over to a page that is rendered on demand, like the next ones; else of the build. */
    site: {
      baseUrl: string;
      business: import('./schema/business.ts').Business;
      rating: import('./schema/dataset.ts').AggregateRating;
      coverage: import('./schema/dataset.ts').Coverage;
      license: import('./schema/license.ts').DataLicense;
    } & Partial<import('./build/publication.ts').Publication['site']>;
    review?: import('./dataset/review-document.ts').ReviewView;
    search?: import('./search/search-view.ts').SearchView;
    carried?: readonly import('./schema/review.ts').Review[] | undefined;
  }
}

/** An alias of src/build/current-publication.ts. */
declare module 'virtual:publication' {
  export const currentPublication: typeof import('./build/current-publication.ts').currentPublication;
  export const publicationIn: typeof import('./build/current-publication.ts').publicationIn;
}

/** The style sheet of the theme; provided by src/build/bundle.ts. */
declare module 'virtual:theme.css';

/** For endpoints that render a component; `astro check`, which knows its properties, reads pages only. */
declare module '*.astro' {
  const component: import('astro/runtime/server/index.js').AstroComponentFactory;
  export default component;
}

declare module 'subset-font' {
  /** Returns a font that has the glyphs of some characters alone. */
  export default function subsetFont(
    font: Uint8Array,
    characters: string,
    options: { targetFormat: 'woff2'; noLayoutClosure: boolean },
  ): Promise<Uint8Array>;
}
