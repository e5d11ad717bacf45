// For `node --import`. npm may run on an older Node, which has no types to strip.
if (process.features.typescript) await import('./redirect-fetch.ts');
