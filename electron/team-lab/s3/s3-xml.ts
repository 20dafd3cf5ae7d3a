/**
 * The XML that S3 stores answer with: elements, text, CDATA and the five entities of XML, in one default namespace.
 * What is beyond that (a DOCTYPE, own entities) no store sends, and none of it is read: it has been the way into many
 * readers of XML.
 */
export interface XmlElement {
  name: string;
  /** Without the text of its children. */
  text: string;
  children: XmlElement[];
}

/** The answer is not XML, or not of the kind that was asked for. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

const deepest = 16;
const declaration = /^\uFEFF?\s*(?:<\?xml[^<>]*\?>)?\s*/;
const token =
  /<(\/?)([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|<!\[CDATA\[([^]*?)\]\]>|([^<]+)/y;

/** The root element. @throws XmlError */
export function readXml(source: string): XmlElement {
  const document: XmlElement = { name: '', text: '', children: [] };
  const open: XmlElement[] = [document];
  token.lastIndex = declaration.exec(source)?.[0].length ?? 0;
  while (token.lastIndex < source.length) {
    const [all, slash, name, , isEmpty, verbatim, text] = token.exec(source) ?? [];
    if (all === undefined) throw new XmlError('not XML that is read here');
    const parent = open.at(-1);
    if (parent === undefined) throw new XmlError('an end without a beginning');
    if (text !== undefined) parent.text += decodeEntities(text);
    else if (verbatim !== undefined) parent.text += verbatim;
    else if (slash === '/') {
      if (parent.name !== name || open.pop() === document) throw new XmlError(`</${name}> where another ends`);
    } else if (name !== undefined) begin(open, parent, name, isEmpty === '/');
  }
  const [root, ...more] = document.children;
  if (root === undefined || more.length > 0 || open.length !== 1 || document.text.trim() !== '')
    throw new XmlError('not one whole element');
  return root;
}

function begin(open: XmlElement[], parent: XmlElement, name: string, isEmpty: boolean): void {
  if (open.length > deepest) throw new XmlError('too deep');
  const element = { name, text: '', children: [] };
  parent.children.push(element);
  if (!isEmpty) open.push(element);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const largestCodePoint = 0x10_ff_ff;

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));|&/g,
    (_all: string, decimal?: string, hex?: string, name: string = '') => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (code <= largestCodePoint) return String.fromCodePoint(code);
      const character = Object.hasOwn(named, name) ? named[name] : undefined;
      if (character === undefined) throw new XmlError('an entity that XML does not have');
      return character;
    },
  );
}

/** Of an element that is there once at most; null where it is missing. */
export function childText(element: XmlElement, name: string): string | null {
  return element.children.find((child) => child.name === name)?.text ?? null;
}

/** @throws XmlError where it is missing */
export function requiredText(element: XmlElement, name: string): string {
  const text = childText(element, name);
  if (text === null) throw new XmlError(`<${element.name}> without <${name}>`);
  return text;
}

export const childrenNamed = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);
