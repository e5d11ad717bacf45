import { runCommand, withArguments } from '../run-command.ts';

// Only the command that runs is loaded, because some load much that others do not need.
await runCommand(
  {
    annotate: async () => (await import('./annotate.ts')).annotate,
    check: withArguments(
      'npm run reviews -- check',
      async () => (await import('./check-content.ts')).checkContent,
    ),
    explain: withArguments(
      'npm run reviews -- explain <review-id>',
      async () => (await import('./explain.ts')).explain,
    ),
    import: async () => (await import('./import.ts')).importReviews,
    new: async () => (await import('./new-dataset.ts')).newDataset,
    ping: async () => (await import('./ping.ts')).ping,
    record: async () => (await import('./record.ts')).record,
    sign: withArguments(
      'npm run reviews -- sign <edition>',
      async () => (await import('./sign.ts')).sign,
    ),
    sync: async () => (await import('./sync.ts')).sync,
    suggest: async () => (await import('./suggest.ts')).suggest,
    unlabeled: withArguments(
      'npm run reviews -- unlabeled',
      async () => (await import('./unlabeled.ts')).unlabeled,
    ),
    upload: async () => (await import('./upload.ts')).upload,
    verify: async () => (await import('./verify.ts')).verify,
  },
  process.argv.slice(2),
);
