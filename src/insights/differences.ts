/** Returns a sentence for each place in which two values differ. */
export function differences(stated: unknown, derived: unknown, path = ''): string[] {
  if (Object.is(stated, derived)) return [];
  if (!isObject(stated) || !isObject(derived) || Array.isArray(stated) !== Array.isArray(derived)) {
    return [`${path || 'document'}: says ${inShort(stated)}, derived ${inShort(derived)}`];
  }
  return [...new Set([...Object.keys(stated), ...Object.keys(derived)])].flatMap((key) =>
    differences(stated[key], derived[key], path === '' ? key : `${path}.${nameOf(stated, key)}`),
  );
}

/** Returns the key of a member; an item of a list is named by its id, if it has one. */
function nameOf(parent: Record<string, unknown>, key: string): string {
  const child = parent[key];
  return Array.isArray(parent) && isObject(child) && typeof child.id === 'string' ? child.id : key;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const SHOWN = 120;

function inShort(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}
