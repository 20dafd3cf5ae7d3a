import { visibleText } from './visible-text.ts';

/** How a process ended. */
export interface ProcessEnd {
  /** null when it was killed. */
  code: number | null;
  /** null when it ended by itself, or where the system does not say. */
  signal: string | null;
  /** The end of what it wrote to standard error, as it is: it may hold secrets and control characters. */
  lastWords: string;
}

/** For a sentence: `exit code 1`, `SIGSEGV`, `killed`. */
export const endInWords = ({ code, signal }: Omit<ProcessEnd, 'lastWords'>): string =>
  signal ?? (code === null ? 'killed' : `exit code ${code}`);

const [escape, bell] = ['\u001b', '\u0007'];
/** ECMA-48: control sequences, operating system commands, and escapes of one character. */
const terminalSequence = new RegExp(
  [
    String.raw`${escape}\[[0-?]*[ -/]*[@-~]`,
    String.raw`${escape}\][^${bell}${escape}]*(?:${bell}|${escape}\\)?`,
    String.raw`${escape}[0-Z\\^-~]`,
  ].join('|'),
  'g',
);

const mostCharacters = 2048;

/**
 * The end of what a program wrote to a terminal, as text for a screen: no sequence that moves or colours, nothing
 * invisible, at most 2,048 characters, from the start of a line where more was written.
 */
export function plainWords(written: string): string {
  const words = visibleText(written.replaceAll(terminalSequence, '').replaceAll(/\r+\n?/g, '\n')).trim();
  if (words.length <= mostCharacters) return words;
  const end = words.slice(-mostCharacters);
  return end.slice(end.indexOf('\n') + 1).toWellFormed();
}

/** V8's trace, and the line with the version that Node ends with. */
const traceLine = /^\s+at |^Node\.js v\d/;

/**
 * The line that best explains why a program ended. Node writes an uncaught error as its place, an empty line, the
 * message, and a trace: the message is the line above the first trace. Others write it last. Empty when nothing was
 * written.
 */
export function tellingLine(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  const trace = lines.findIndex((line) => /^\s+at /.test(line));
  const line = trace > 0 ? lines[trace - 1] : lines.findLast((each) => !traceLine.test(each));
  return line?.trim() ?? '';
}

/**
 * The host's request that a process of its own should end, if the channel between them cannot be closed: Electron sends
 * a utility process no signal when its host releases it.
 */
export const endRequest = { kind: 'end' } as const;

export function isEndRequest(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === endRequest.kind;
}
