import { yaraKeywords } from '../../../shared/domain/yara-scanner.ts';

// Each expression begins where the one before ended and repeats nothing without a bound: no text keeps it long.
const space = String.raw`[ \t\r\n]`;
const modifiers = `(?:(?:private|global)${space}{1,100}){0,2}`;
const name = String.raw`rule${space}{1,100}\w{1,128}`;
const tags = String.raw`(?:${space}{0,100}:[\w \t\r\n]{1,1000}|${space}{0,100})`;
/** The rule up to its first section. Only `meta` is accepted: the engine rejects a rule that begins with another. */
const head = new RegExp(String.raw`${modifiers}${name}${tags}\{${space}{0,100}meta${space}{0,100}:`, 'y');
const metaKey = String.raw`([A-Za-z_]\w{0,63})`;
const metaValue = String.raw`(?:"[^"\\\p{C}]{0,4000}"|true|false|-?\d{1,15})`;
const entry = new RegExp(String.raw`${space}{1,200}${metaKey}[ \t]{0,100}=[ \t]{0,100}${metaValue}(?=${space})`, 'uy');
const next = /[ \t\r\n]{0,200}(?=(?:strings|condition)[ \t\r\n]{0,100}:)/y;

/**
 * The rule with one entry of meta and as many lines, which the engine compiles sooner: the content of meta is kept.
 * Where that section does not have the most usual form, and so might be what is broken, the rule stays as it is.
 */
export function withShortMeta(rule: string): string {
  const start = endOf(head, rule, 0);
  if (start === null) return rule;
  let end = start;
  for (let after = endOfEntry(rule, end); after !== null; after = endOfEntry(rule, after)) end = after;
  const close = end === start ? null : endOf(next, rule, end);
  return close === null ? rule : `${rule.slice(0, start)} a = 1${lineEndsIn(rule, start, close)} ${rule.slice(close)}`;
}

function endOfEntry(rule: string, from: number): number | null {
  entry.lastIndex = from;
  const [, key] = entry.exec(rule) ?? [];
  return key === undefined || yaraKeywords.has(key) ? null : entry.lastIndex;
}

function endOf(expression: RegExp, text: string, from: number): number | null {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : null;
}

function lineEndsIn(text: string, start: number, end: number): string {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return '\n'.repeat(count);
}
