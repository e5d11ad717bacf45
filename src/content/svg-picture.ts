import { parseXml, XmlDeclaration, XmlElement, type XmlDocument } from '@rgrove/parse-xml';
import { DrawnElements, localName, elementsIn } from './svg-drawn.ts';

/** Elements that draw, and those that describe the drawing. */
const ELEMENTS = wordsOf(`
  svg g defs symbol use switch path rect circle ellipse line polyline polygon image text tspan textPath
  style title desc metadata linearGradient radialGradient stop pattern clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
  feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
  feTurbulence`);

/** Attributes of those elements that neither run anything nor lead anywhere; `href` has its own rule. */
const ATTRIBUTES = wordsOf(`
  id class style lang space type media version baseProfile role title show actuate viewBox x y x1 y1 x2
  y2 cx cy r rx ry fx fy fr dx dy d points width height preserveAspectRatio zoomAndPan transform
  transform-origin transform-box gradientTransform gradientUnits spreadMethod offset patternTransform
  patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits mask-type markerUnits
  markerWidth markerHeight refX refY orient pathLength rotate textLength lengthAdjust startOffset method
  side spacing requiredFeatures requiredExtensions systemLanguage contentStyleType contentScriptType
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation
  color-interpolation-filters color-profile color-rendering cursor direction display dominant-baseline
  enable-background fill fill-opacity fill-rule filter flood-color flood-opacity font font-family
  font-feature-settings font-size font-size-adjust font-stretch font-style font-variant font-weight
  glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning letter-spacing
  lighting-color line-height marker marker-end marker-mid marker-start mask mix-blend-mode opacity
  overflow paint-order pointer-events shape-rendering solid-color solid-opacity stop-color stop-opacity
  stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width text-align text-anchor text-decoration text-indent text-rendering
  text-transform unicode-bidi vector-effect visibility white-space word-spacing writing-mode
  filterUnits primitiveUnits filterRes in in2 result stdDeviation values mode operator k1 k2 k3 k4
  tableValues slope intercept amplitude exponent surfaceScale diffuseConstant specularConstant
  specularExponent kernelUnitLength kernelMatrix order divisor bias targetX targetY preserveAlpha edgeMode
  azimuth elevation z pointsAtX pointsAtY pointsAtZ limitingConeAngle baseFrequency numOctaves seed
  stitchTiles radius scale xChannelSelector yChannelSelector`);

/** A part of the same picture, or one inside it. */
const INSIDE = /^\s*(#[^%\s]*|data:image\/(png|jpeg|jpg);base64,[\w+/=\s]*)\s*$/;
/** Style that loads something; with a backslash or a variable it could say so in other places. */
const LOADS =
  /\\|@import|(?<![\w-])--[\w-]+\s*:|(?:image|image-set|src|cross-fade)\s*\(|url\((?!\s*["']?#)/i;
/** Elements to draw: patterns of patterns could keep a browser busy for minutes. */
const MAX_DRAWN = 100_000;

/**
 * Returns why an SVG is more than a picture. The picture has an address of its own, which a host may
 * serve without a policy against scripts, so whatever is not known to be harmless is refused.
 */
export function svgIssue(bytes: Uint8Array): string | undefined {
  let document: XmlDocument;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    document = parseXml(text, { preserveDocumentType: true, preserveXmlDeclaration: true });
  } catch {
    return 'is not an SVG picture in UTF-8';
  }
  const issue = prologIssue(document) ?? elementIssue(document.root!);
  return issue && `${issue}: save it as plain SVG`;
}

/** A document type may give elements attributes, and a style sheet for XML may be a program. */
function prologIssue({ children, root }: XmlDocument): string | undefined {
  if (localName(root!.name) !== 'svg') return 'is not an SVG picture';
  for (const child of children) {
    if (child instanceof XmlDeclaration) {
      if (!/^(utf-8)?$/i.test(child.encoding ?? '')) return `is in ${child.encoding}, not in UTF-8`;
    } else if (!(child instanceof XmlElement)) {
      return 'has a document type or an instruction for programs';
    }
  }
  return undefined;
}

function elementIssue(root: XmlElement): string | undefined {
  const elements = [root];
  for (const element of elements) elements.push(...elementsIn(element));
  const isForeign = foreignNames(elements);
  if (new DrawnElements(elements).by(root) > MAX_DRAWN) return 'nests or repeats too much';
  for (const element of elements) {
    if (isForeign(element.name)) continue;
    const name = localName(element.name);
    if (!ELEMENTS.has(name)) return `has <${element.name}>, which is no part of a picture`;
    if (name === 'style' && LOADS.test(element.text)) return 'loads something in <style>';
    for (const [attribute, value] of Object.entries(element.attributes)) {
      if (isForeign(attribute)) continue;
      const issue = attributeIssue(localName(attribute), value);
      if (issue) return `${issue} ${attribute} of <${element.name}>`;
    }
  }
  return undefined;
}

function attributeIssue(name: string, value: string): string | undefined {
  if (name === 'href') return INSIDE.test(value) ? undefined : 'leads elsewhere in';
  if (!ATTRIBUTES.has(name) && !/^(aria|data)-/.test(name)) return 'has the unknown attribute';
  return LOADS.test(value) ? 'loads something in' : undefined;
}

/**
 * Recognizes names that are notes of a drawing program, such as `inkscape:label`: their prefix is bound
 * to no namespace of the W3C but that of metadata, so no browser knows them.
 */
function foreignNames(elements: readonly XmlElement[]): (name: string) => boolean {
  const known = new Set(['xml']);
  for (const [name, space] of elements.flatMap(({ attributes }) => Object.entries(attributes))) {
    const isKnown = space.startsWith('http://www.w3.org/') && !space.includes('rdf');
    if (name.startsWith('xmlns:') && isKnown) known.add(name.slice('xmlns:'.length));
  }
  return (name) => name === 'xmlns' || (name.includes(':') && !known.has(name.split(':')[0]!));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
