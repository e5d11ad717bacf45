import { importFiles } from '../../src/import/import-files.ts';

// Imports a file into a folder.

const [, , file, contentDir] = process.argv as [string, string, string, string];
await importFiles([file], { contentDir, now: '2026-12-31T00:00:00Z' });
console.log(JSON.stringify(process.resourceUsage()));
