import type { JournalRow } from '../../../shared/domain/journal.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { exactSizeWords, numberWords, sizeWords } from '../../components/byte-words.ts';
import { readTime, secondWords } from '../../components/utc-time.ts';
import { text } from './text.ts';

type Detail = JournalRow['detail'];
type Value = Detail[string];

const bytes: ReadonlySet<string> = new Set(['sizeBytes', 'bytes']);
const times: ReadonlySet<string> = new Set(['made', 'restored', 'expires']);
/** The row's own hash says it, or they mean something to a program alone. */
const leftOut: ReadonlySet<string> = new Set(['sha256', 'package', 'comment', 'remoteId', 'key']);

/** What a field of the detail is called: ours have names, another one is what it was written as. */
export const fieldName = (name: string): string =>
  (Object.hasOwn(text.fields, name) ? fieldNames[name] : undefined) ?? visibleText(name);
const fieldNames: Readonly<Record<string, string>> = text.fields;

/** A value by itself, whole. */
export function valueWords(name: string, value: Value): string {
  if (value === null) return text.none;
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (typeof value === 'string') return times.has(name) ? timeWords(value) : visibleText(value);
  if (name === 'job') return String(value);
  return bytes.has(name) ? exactSizeWords(value) : numberWords(value);
}

/** To the second: rows of one minute are many. */
export function timeWords(time: string): string {
  const read = readTime(time);
  return read.kind === 'utc' ? secondWords(new Date(read.iso)) : visibleText(time);
}

/** SHA-256 or another hash, which is read digit by digit. */
export const isHash = (value: Value): boolean => typeof value === 'string' && /^[\da-f]{32,64}$/.test(value);

/** The detail on one line: what says nothing is left out, and so is what is true of nothing. */
export function detailLine(detail: Detail): string {
  const told = Object.entries(detail).filter(
    ([name, value]) => value !== null && value !== false && !leftOut.has(name),
  );
  return told.map(([name, value]) => shortWords(name, value)).join(', ');
}

function shortWords(name: string, value: Value): string {
  if (value === true) return fieldName(name);
  if (typeof value === 'number' && bytes.has(name)) return sizeWords(value);
  return `${fieldName(name)} ${valueWords(name, value)}`;
}
