/** YARA-X's report of one fault in a source, or its warning. */
export interface EngineError {
  /** As `E009`, of a warning `slow_pattern`. */
  code: string;
  /** One-based, in the source that was added; null when it does not say. */
  line: number | null;
  /** In the engine's words on one line, without text of the source; at most 300 characters. */
  text: string;
}

const mostCharacters = 300;
/** Of a message: the engine cuts long lines, and the places it points to come first. */
const mostRead = 20_000;
/** A whole message of the engine begins so; what does not is no verdict on a source. */
const head = /^error\[(\w+)\]: (.*)/;
const place = /^ *--> (?:[^\n]*?:)?(\d+):\d+$/m;
/** Words under the place it points to. Lines that quote the source begin with their number, these do not. */
const label = /^ *\|.*?\^+ (?=[^\s^-])(.+)$/m;
const note = /^ *= note: (.+)$/m;

const warningHead = /^warning\[(\w+)\]: (.*)/;
const warningLabel = /^ *\|.*?-+ (?=[^\s^-])(.+)$/m;

/** What the engine warns of. @returns null when it is not how the engine warns */
export const readEngineWarning = (whole: string): EngineError | null => readMessage(whole, warningHead, warningLabel);

/** @returns null when it is not how the engine reports a fault: it is a defect, or the end of the engine */
export const readEngineError = (whole: string): EngineError | null => readMessage(whole, head, label);

function readMessage(whole: string, first: RegExp, underPlace: RegExp): EngineError | null {
  const message = whole.slice(0, mostRead);
  const [, code, title] = first.exec(message) ?? [];
  if (code === undefined || title === undefined) return null;
  const line = place.exec(message)?.[1];
  const words = [title, underPlace.exec(message)?.[1], note.exec(message)?.[1]]
    .filter((part) => part !== undefined)
    .map(withoutSource);
  return { code, line: line === undefined ? null : Number(line), text: onOneLine(words.join(': ')) };
}

/**
 * Names, keywords and single signs may be quoted. A longer quotation could be a text that a scanner for viruses knows.
 */
const harmless = /^(?:[$#@!]?\w{0,64}|[^\w"]{1,2}|import "\w{1,64}")$/;

function withoutSource(words: string): string {
  // The found text comes last, and may hold the sign that quotes it.
  const [, before = words, found] = /^(.*?found) (`.*)$/s.exec(words) ?? [];
  const shown = before.replaceAll(/`([^`]*)`/g, (whole, quoted: string) => (harmless.test(quoted) ? whole : '`…`'));
  if (found === undefined) return shown;
  return harmless.test(found.slice(1, -1)) ? `${shown} ${found}` : `${shown} something else`;
}

function onOneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters - 1).replace(/\p{Cs}$/u, '')}…` : line;
}
