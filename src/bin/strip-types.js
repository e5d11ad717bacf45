import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

// Node refuses to strip the types of files below node_modules, where the package is installed.
const program = new URL('../..', import.meta.url).href;

registerHooks({
  load(url, context, next) {
    const [file] = url.split('?');
    if (!file.startsWith(program) || !file.endsWith('.ts')) return next(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(file), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});
