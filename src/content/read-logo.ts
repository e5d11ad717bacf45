import {
  parseXml,
  XmlElement,
  XmlProcessingInstruction,
  type XmlDocument,
} from '@rgrove/parse-xml';
import type { Reader } from './reader.ts';

/** The logo of the business, as its file has it. */
export interface Logo {
  type: 'svg' | 'png';
  bytes: Uint8Array;
}

/** Every page shows it, so it should be small. */
const MOST_BYTES = 64 * 1024;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads `logo.svg` or `logo.png`; null when there is neither. */
export async function readLogo(reader: Reader): Promise<Logo | null> {
  const [svg, png] = [
    await reader.bytes('logo.svg', { optional: true }),
    await reader.bytes('logo.png', { optional: true }),
  ];
  if (svg && png) reader.issue('logo.png', 0, '', 'is there beside logo.svg: keep one of them');
  const [path, bytes] = svg ? ['logo.svg', svg] : ['logo.png', png];
  if (!bytes) return null;
  if (bytes.length > MOST_BYTES)
    reader.issue(path, 0, '', `is larger than ${MOST_BYTES / 1024} KiB`, bytes.length);
  else {
    const isPng = PNG_SIGNATURE.equals(bytes.subarray(0, PNG_SIGNATURE.length));
    const issue = svg ? svgIssue(svg) : !isPng && 'is not a PNG picture';
    if (issue) reader.issue(path, 0, '', issue);
  }
  return { type: svg ? 'svg' : 'png', bytes };
}

/** A logo has an address of its own, and a host may serve it without a policy against scripts. */
function svgIssue(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString();
  if (/<!ENTITY/i.test(text)) return 'declares entities: save it as plain SVG';
  let document: XmlDocument;
  try {
    document = parseXml(text);
  } catch {
    return 'is not an SVG picture';
  }
  if (localName(document.root?.name) !== 'svg') return 'is not an SVG picture';
  return hasScript(document) ? 'has a script: save it as a picture alone' : undefined;
}

/** Elements that run scripts or contain other documents. */
const ACTIVE = new Set(['script', 'handler', 'foreignobject', 'iframe', 'embed', 'object']);

function hasScript(node: XmlDocument | XmlElement): boolean {
  return node.children.some((child) => {
    // A style sheet for XML may be a program.
    if (child instanceof XmlProcessingInstruction) return child.name.toLowerCase() !== 'xml';
    if (!(child instanceof XmlElement)) return false;
    const isActive = Object.entries(child.attributes).some(
      ([name, value]) =>
        /^on/i.test(localName(name)) || /javascript:|data:text/i.test(value.replaceAll(/\s/g, '')),
    );
    return isActive || ACTIVE.has(localName(child.name)) || hasScript(child);
  });
}

function localName(name = ''): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
