import { runCommand, withArguments } from '../run-command.ts';

// Only the command that runs is loaded, because some load much that others do not need.
await runCommand(
  {
    annotate: async () => (await import('./commands/annotate.ts')).annotate,
    check: withArguments(
      'npm run reviews -- check',
      async () => (await import('./commands/check-content.ts')).checkContent,
    ),
    doctor: async () => (await import('./commands/doctor.ts')).doctor,
    erase: async () => (await import('./commands/erase.ts')).erase,
    explain: withArguments(
      'npm run reviews -- explain <review-id>',
      async () => (await import('./commands/explain.ts')).explain,
    ),
    import: async () => (await import('./commands/import.ts')).importReviews,
    new: async () => (await import('./commands/new-dataset.ts')).newDataset,
    ping: async () => (await import('./commands/ping.ts')).ping,
    record: async () => (await import('./commands/record.ts')).record,
    sign: withArguments(
      'npm run reviews -- sign <edition>',
      async () => (await import('./commands/sign.ts')).sign,
    ),
    sync: async () => (await import('./commands/sync.ts')).sync,
    suggest: async () => (await import('./commands/suggest.ts')).suggest,
    upload: async () => (await import('./commands/upload.ts')).upload,
    verify: async () => (await import('./commands/verify.ts')).verify,
  },
  process.argv.slice(2),
);
