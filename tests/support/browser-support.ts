import bcd, {
  type Identifier,
  type SimpleSupportStatement,
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

/** The names of the objects that have a member. */
const OWNERS = new Map<string, string[]>();
for (const [name, object] of Object.entries(OBJECTS)) {
  for (const member of Object.keys(object)) {
    OWNERS.set(member, [...(OWNERS.get(member) ?? []), name]);
  }
}

/** Returns the oldest browsers of the site that lack something; none if nothing is known of it. */
function lackedBy(known: Identifier | undefined): Browser[] {
  const support = known?.__compat?.support;
  if (!support) return [];
  return (Object.keys(OLDEST_BROWSERS) as Browser[]).filter((browser) => {
    const statements = [support[browser] ?? []].flat() as SimpleSupportStatement[];
    return !statements.some((statement) => isIn(statement, OLDEST_BROWSERS[browser]));
  });
}

function isIn(statement: SimpleSupportStatement, version: string): boolean {
  const { version_added: added, version_removed: removed, flags, prefix } = statement;
  if (flags || prefix) return false;
  return isReached(added, version) && !isReached(removed, version);
}

function isReached(since: string | boolean | null | undefined, version: string): boolean {
  if (typeof since !== 'string' || since === 'preview') return false;
  const [major = 0, minor = 0] = since.replace('≤', '').split('.').map(Number);
  const [ourMajor = 0, ourMinor = 0] = version.split('.').map(Number);
  return major < ourMajor || (major === ourMajor && minor <= ourMinor);
}

/**
 * Returns what sources use that a browser of the site lacks, by the types of their expressions, with
 * the files that they import; of an expression without a type, what no object of the language has there.
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
    const place = `${relative(ROOT, source.fileName)}:${line}`;
    found.add(`${place}: ${objectOf(objects[0]!)}.${member} is not in ${browsers.join(', ')}`);
  };
  const noteAny = (node: ts.Node, member: string) => {
    const owners = OWNERS.get(member) ?? [];
    // Names of the objects of browsers are any program's words: format, path, element.
    if (owners.some((name) => Object.hasOwn(bcd.api, name))) return;
    if (owners.every((name) => lackedBy(OBJECTS[name]![member]).length > 0))
      note(node, owners, member);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const declared = checker.getSymbolAtLocation(node.name)?.declarations ?? [];
      const owners = declared
        .filter((each) => program.isSourceFileDefaultLibrary(each.getSourceFile()))
        .map(({ parent }) => (ts.isInterfaceDeclaration(parent) ? parent.name.text : ''));
      const { flags } = checker.getTypeAtLocation(node.expression);
      if (owners.length > 0) note(node, [nameOf(node.expression), ...owners], node.name.text);
      else if (flags & ts.TypeFlags.Any) noteAny(node, node.name.text);
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

const { properties, selectors, 'at-rules': atRules, types } = bcd.css as Record<string, Identifier>;

const membersOf = (known: Identifier) => Object.entries(known) as [string, Identifier][];

/** Functions by name: of a type, or of a kind of its values. */
const FUNCTIONS = new Map(
  membersOf(types!).flatMap(([name, type]) => [
    ...membersOf(type).flatMap(([, kind]) => membersOf(kind)),
    ...membersOf(type),
    [name, type] as const,
  ]),
);

/**
 * Returns what a style sheet uses that a browser of the site lacks: at-rules with their features,
 * selectors, properties with their keywords, and functions. A prefixed name is meant for one browser.
 */
export function lackedInStyles(css: string): string[] {
  const found = new Set<string>();
  const note = (name: string, known: Identifier | undefined): void => {
    const browsers = lackedBy(known);
    if (browsers.length > 0) found.add(`${name} is not in ${browsers.join(', ')}`);
  };
  const plain = css.replaceAll(/\/\*.*?\*\/|"[^"]*"|'[^']*'|url\([^)]*\)/gs, '');
  for (const [, text, end] of plain.matchAll(/([^{};]+)([{};])/g)) {
    const [, rule, features] = /^\s*@([a-z-]+)(.*)$/s.exec(text!) ?? [];
    const [, property, value] = /^\s*([a-z-]+)\s*:(.*)$/s.exec(text!) ?? [];
    if (rule !== undefined) {
      note(`@${rule}`, atRules![rule]);
      for (const [, name] of features!.matchAll(/[(<>=]\s*([a-z-]+)(?=\s*[:)<>=])/g)) {
        note(`@${rule} (${name})`, atRules![rule]?.[name!]);
      }
    } else if (end === '{') {
      for (const [, name] of text!.matchAll(/::?([a-z-]+)/g)) note(`:${name}`, selectors![name!]);
    } else if (property !== undefined) {
      note(property, properties![property]);
      for (const [, name, call] of value!.matchAll(/(?<![\w-])([a-z-]+)(\(?)/g)) {
        const known = call === '(' ? FUNCTIONS.get(name!) : properties![property]?.[name!];
        note(call === '(' ? `${name}()` : `${property}: ${name}`, known);
      }
    }
  }
  return [...found].sort();
}

/** Returns the name of an object in the data by the one of its interface in TypeScript. */
function objectOf(name: string): string {
  return name.replace(/^Readonly(?=[A-Z])|Constructor$|(?<=^Iterator)Object$/g, '');
}
