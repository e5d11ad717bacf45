/** Provided by the plugin in integration.ts. */
declare module 'virtual:publication' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- this module is ambient, so it may import nothing
  export const currentPublication: typeof import('./publication.ts').currentPublication;
}
