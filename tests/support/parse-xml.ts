import { parseXml, XmlElement } from '@rgrove/parse-xml';

/** The root of a document. @throws when it is not well-formed XML 1.0 */
export function parseDocument(xml: string): XmlElement {
  const { root } = parseXml(xml);
  if (!root) throw new Error('the document has no root element');
  return root;
}

/** The children of an element by their name. */
export function children(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => child instanceof XmlElement && child.name === name,
  );
}

/** The one child of that name. @throws when there is none, or more */
export function child(element: XmlElement, name: string): XmlElement {
  const found = children(element, name);
  if (found.length !== 1) throw new Error(`${element.name} has ${found.length} ${name}, not one`);
  return found[0]!;
}
