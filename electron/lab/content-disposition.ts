/** What a part of a form is: a field, or a file with its own name. */
export interface Disposition {
  name: string;
  fileName: string | null;
}

/** `; name="…"` or `; name=…`. A sender that escapes nothing may end a quoted value in a backslash. */
const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))|"([^"]*)"(?=\s*(?:;|$))|([^\s;"]*))\s*/sy;

/**
 * Reads the Content-Disposition of a part (RFC 7578, section 4.2), given as the bytes of its values in Latin-1. Null
 * for none, for several, and for what cannot be read.
 */
export function readDisposition(values: readonly string[]): Disposition | null {
  const [value, ...more] = values;
  if (value === undefined || more.length > 0) return null;
  const [type = ''] = value.split(';', 1);
  if (type.trim().toLowerCase() !== 'form-data') return null;
  const parameters = readParameters(value.slice(type.length));
  const name = parameters?.get('name');
  if (parameters === null || name === undefined) return null;
  const fileName = parameters.get('filename');
  return { name: textOf(name), fileName: fileName === undefined ? null : decodeFileName(textOf(fileName)) };
}

function readParameters(text: string): Map<string, string> | null {
  const parameters = new Map<string, string>();
  for (let at = 0; at < text.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const [, name, quoted, unescaped, bare] = parameter.exec(text) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? unescaped ?? bare ?? '');
  }
  return parameters;
}

/** A name in another encoding than UTF-8 is still a name: what cannot be read of it becomes U+FFFD. */
const textOf = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8');

/**
 * Line breaks and quotes come percent-encoded (HTML Standard, "Multipart form data"), and nothing else does. `%25`
 * stands for `%` only where a sender had to keep such a triplet of the name itself apart.
 */
const decodeFileName = (name: string): string =>
  name.replace(/%(?:(0a|0d|22)|25(?=0a|0d|22|25))/gi, (_match, code: string | undefined) =>
    String.fromCharCode(Number.parseInt(code ?? '25', 16)),
  );
