import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

// Reads a CSV file and does nothing with it.

for await (const _ of createReadStream(process.argv[2]!).pipe(parse({ columns: true }))) continue;
console.log(JSON.stringify(process.resourceUsage()));
