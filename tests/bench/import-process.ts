import { importFiles } from '../../src/owner/import/import-files.ts';

// Imports a file into a folder: import-process.ts FILE FOLDER [--withdraw] [--dry-run]

const [file, contentDir, ...flags] = process.argv.slice(2) as [string, string, ...string[]];
const { counts } = await importFiles([file], {
  contentDir,
  now: '2026-12-31T00:00:00Z',
  withdraw: flags.includes('--withdraw'),
  source: 'google',
  accept: () => Promise.resolve(true),
  dryRun: flags.includes('--dry-run'),
});
console.log(JSON.stringify({ ...process.resourceUsage(), counts }));
