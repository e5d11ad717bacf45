import { runCommand } from '../run-command.ts';
import { annotate } from './annotate.ts';
import { changes } from './changes.ts';
import { checkContent } from './check-content.ts';
import { explain } from './explain.ts';
import { importReviews } from './import.ts';
import { newDataset } from './new-dataset.ts';
import { ping } from './ping.ts';
import { proxyConfig } from './proxy-config.ts';
import { record } from './record.ts';
import { sign } from './sign.ts';
import { sync } from './sync.ts';
import { suggest } from './suggest.ts';
import { unlabeled } from './unlabeled.ts';
import { upload } from './upload.ts';
import { verify } from './verify.ts';

await runCommand(
  {
    annotate,
    changes,
    'check:content': checkContent,
    explain,
    import: importReviews,
    new: newDataset,
    ping,
    'proxy-config': proxyConfig,
    record,
    sign,
    sync,
    suggest,
    unlabeled,
    upload,
    verify,
  },
  process.argv.slice(2),
);
