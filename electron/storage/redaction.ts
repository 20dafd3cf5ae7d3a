const mark = '[removed]';
const longestRedacted = 256 * 1024;
const shortestInBase64 = 4;
/**
 * A shorter secret is a part of many words: their gaps would tell it. It goes where letters and digits do not go on, as
 * a value stands.
 */
const shortestInWords = 6;
/** An escape ends with a letter or a digit, too. */
const valueStart = String.raw`(?<=^|[^0-9A-Za-z]|%(?:25){0,4}[0-9A-Fa-f]{2}|\\[bfnrt])`;
/** Backslashes for one character, in JSON that lies in JSON that lies in JSON. */
const mostEscapes = 8;

/** `token=…` in any spelling of the equals sign, up to what ends a value in a URL, JSON or a sentence. */
const tokenValues = /(token)(=|%(?:25)*3d)([^&\s"'<>#\\;,)\]}]*)/gi;

/**
 * Takes known secrets out of text: as they are, with any of their characters percent-encoded (once or more), as JSON
 * writes them, and inside base64, where a text takes one of three shapes by where it begins. Values of `token=` go
 * always, known or not. A secret of a few characters is found as a value alone.
 */
export class Redaction {
  readonly #patterns = new Map<string, RegExp>();

  add(secret: string): void {
    if (secret !== '') this.#patterns.set(secret, patternFor(secret));
  }

  remove(secret: string): void {
    this.#patterns.delete(secret);
  }

  get secrets(): string[] {
    return [...this.#patterns.keys()];
  }

  /** A text too long to search is left out whole: a cut could leave half of a secret. */
  redact(text: string): string {
    if (text.length > longestRedacted) return `[${text.length} characters left out]`;
    let clean = text;
    for (const pattern of this.#longestFirst()) clean = clean.replaceAll(pattern, mark);
    return clean.replaceAll(tokenValues, `$1$2${mark}`);
  }

  /** A secret that begins with another one goes whole. */
  #longestFirst(): RegExp[] {
    return [...this.#patterns].toSorted(([one], [other]) => other.length - one.length).map(([, pattern]) => pattern);
  }
}

function patternFor(secret: string): RegExp {
  const itself = piecesOf(secret).map(patternOfPiece).join('');
  const forms = [
    secret.length < shortestInWords ? `${valueStart}(?:${itself})(?![0-9A-Za-z])` : itself,
    ...base64Forms(Buffer.from(secret)).map(escaped),
  ];
  return new RegExp(forms.join('|'), 'g');
}

interface Piece {
  backslashes: number;
  /** Empty: the secret ends with backslashes. */
  character: string;
}

/**
 * Each character with the backslashes in front of it: one count for both, those of the secret and those that escape it,
 * or a long text of them would be tried in every sum of the two.
 */
const piecesOf = (secret: string): Piece[] =>
  [...secret.matchAll(/(\\*)((?:[\ud800-\udbff][\udc00-\udfff]|[^\\])?)/g)]
    .map(([, backslashes = '', character = '']) => ({ backslashes: backslashes.length, character }))
    .filter((piece) => piece.backslashes > 0 || piece.character !== '');

function patternOfPiece({ backslashes, character }: Piece): string {
  if (backslashes === 0) return patternOfCharacter(character);
  const before = `(?:%(?:25)*5[cC]|\\\\u005[cC]|\\\\){${backslashes},${mostEscapes * (backslashes + 1)}}`;
  return character === '' ? before : `${before}(?:${formsOf(character, '').join('|')})`;
}

/** One character as itself, escaped (`\/`, `\"`, `\u00e9`), or as the percent-encoding of its UTF-8 bytes. */
const patternOfCharacter = (character: string): string =>
  `(?:${[...formsOf(character, `\\\\{1,${mostEscapes}}`), `\\\\{1,${mostEscapes}}${escaped(character)}`].join('|')})`;

function formsOf(character: string, escape: string): string[] {
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25)*${anyCase(hexOf(byte, 2))}`).join('');
  const [first = '', second] = character.split('').map((unit) => `u${anyCase(hexOf(unit.charCodeAt(0), 4))}`);
  const unicode = `${escape}${first}${second === undefined ? '' : `\\\\{1,${mostEscapes}}${second}`}`;
  return [percent, unicode, escaped(character), ...(character === ' ' ? ['\\+'] : [])];
}

/** The characters of base64 that depend on the secret alone, for each of the three places it can begin at. */
function base64Forms(secret: Buffer): string[] {
  if (secret.length < shortestInBase64) return [];
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret])
      .toString('base64')
      .replaceAll('=', '');
    const firstOwn = Math.ceil((before * 8) / 6);
    const lastOwn = Math.floor(((before + secret.length) * 8) / 6);
    const own = text.slice(firstOwn, lastOwn);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const hexOf = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const anyCase = (hex: string): string => hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
