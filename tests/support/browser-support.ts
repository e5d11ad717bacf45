import bcd, {
  type Identifier,
  type SupportStatement,
} from '@mdn/browser-compat-data' with { type: 'json' };
import { relative } from 'node:path';
import ts from 'typescript';
import { OLDEST_BROWSERS } from '../../src/build/bundle.ts';
import { ROOT } from './fixtures.ts';

type Browser = keyof typeof OLDEST_BROWSERS;

/** Everything that scripts can name, by the name of its object: `Iterator` has `flatMap`. */
const OBJECTS: Readonly<Record<string, Identifier>> = {
  ...bcd.api,
  ...bcd.javascript.builtins,
} as Record<string, Identifier>;

/** Returns the oldest browsers of the site that lack something; none if nothing is known of it. */
function lackedBy(known: Identifier | undefined): Browser[] {
  const support = known?.__compat?.support;
  if (!support) return [];
  return (Object.keys(OLDEST_BROWSERS) as Browser[]).filter((browser) => {
    const statements = [support[browser] ?? []].flat() as SupportStatement[] & object[];
    return !statements.some((statement) => isIn(statement as never, OLDEST_BROWSERS[browser]));
  });
}

function isIn(
  statement: { version_added: string | boolean | null; flags?: unknown; prefix?: string },
  version: string,
): boolean {
  const { version_added: added, flags, prefix } = statement;
  if (flags || prefix || typeof added !== 'string' || added === 'preview') return false;
  const [major = 0, minor = 0] = added.replace('≤', '').split('.').map(Number);
  const [ourMajor = 0, ourMinor = 0] = version.split('.').map(Number);
  return major < ourMajor || (major === ourMajor && minor <= ourMinor);
}

/**
 * Returns what sources use that a browser of the site lacks, by the types of their expressions, with
 * the files that they import.
 */
export function lackedInSources(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    allowJs: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    resolveJsonModule: true,
    strict: true,
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: [],
  });
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  const nameOf = (node: ts.Node) => checker.getTypeAtLocation(node).getSymbol()?.name ?? '';
  const note = (node: ts.Node, objects: readonly string[], member: string) => {
    const known = objects.map((object) => OBJECTS[objectOf(object)]).filter(Boolean);
    const entry = known.map((object) => object![member]).find(Boolean);
    const browsers = lackedBy(entry);
    if (browsers.length === 0) return;
    const source = node.getSourceFile();
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.add(
      `${relative(ROOT, source.fileName)}:${line}: ${objectOf(objects[0]!)}.${member} is not in ${browsers.join(', ')}`,
    );
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const declared = checker.getSymbolAtLocation(node.name)?.declarations ?? [];
      const owners = declared
        .filter((each) => program.isSourceFileDefaultLibrary(each.getSourceFile()))
        .map(({ parent }) => (ts.isInterfaceDeclaration(parent) ? parent.name.text : ''));
      if (owners.length > 0) note(node, [nameOf(node.expression), ...owners], node.name.text);
    }
    if (ts.isForOfStatement(node) && node.awaitModifier) {
      note(node, [nameOf(node.expression)], '@@asyncIterator');
    }
    ts.forEachChild(node, visit);
  };
  for (const source of program.getSourceFiles()) {
    if (!source.isDeclarationFile && !source.fileName.includes('node_modules')) visit(source);
  }
  return [...found].sort();
}

/** Returns the name of an object in the data by the one of its interface in TypeScript. */
function objectOf(name: string): string {
  return name.replace(/^Readonly(?=[A-Z])|Constructor$|(?<=^Iterator)Object$/g, '');
}
