import { parseXml, XmlElement } from '@rgrove/parse-xml';

/**
 * Returns the root of a document.
 *
 * @throws if it is not well-formed XML 1.0
 */
export function parseDocument(xml: string): XmlElement {
  const { root } = parseXml(xml);
  if (!root) throw new Error('the document has no root element');
  return root;
}

/** Returns the children of an element with a name. */
export function children(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => child instanceof XmlElement && child.name === name,
  );
}

/** Returns the elements of a name in an element, at any depth. */
export function descendants(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((each) => {
    if (!(each instanceof XmlElement)) return [];
    return each.name === name ? [each] : descendants(each, name);
  });
}

/**
 * Returns the only child with a name.
 *
 * @throws if there is none, or more than one
 */
export function child(element: XmlElement, name: string): XmlElement {
  const found = children(element, name);
  if (found.length !== 1) throw new Error(`${element.name} has ${found.length} ${name}, not one`);
  return found[0]!;
}
