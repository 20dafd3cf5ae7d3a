import { YaraScanner } from '../../shared/domain/yara-scanner.ts';
import type { Span } from './split-rules.ts';
import { textValue } from './text-value.ts';

/** The words of a rule's tags. `count` is called for each; it may throw to stop. */
export function readTags(source: string, span: Span | null, count: () => void): string[] {
  const tags: string[] = [];
  for (const { kind, text } of significant(source, span)) {
    if (kind !== 'word') continue;
    count();
    tags.push(text());
  }
  return tags;
}

/** Numbers, `true` and `false` as they are written, texts with their escapes resolved; keys may come again. `count` is called for each; it may throw to stop. */
export function readMeta(source: string, span: Span | null, count: () => void): { key: string; value: string }[] {
  const meta: { key: string; value: string }[] = [];
  let key: string | null = null;
  let sign: string | null = null;
  for (const { kind, isOpen, text } of significant(source, span)) {
    if (kind === 'sign') {
      sign = key === null ? null : (sign ?? '') + text();
    } else if (key !== null && (sign === '=' || sign === '=-') && !isOpen) {
      count();
      meta.push({ key, value: (sign === '=-' ? '-' : '') + (kind === 'text' ? textValue(text()) : text()) });
      key = sign = null;
    } else {
      key = kind === 'word' ? text() : null;
      sign = null;
    }
  }
  return meta;
}

/** Which of the names a condition mentions; what stands behind a dot is a field of a module. */
export function readUses(source: string, span: Span | null, names: { has(name: string): boolean }): Set<string> {
  const uses = new Set<string>();
  let isField = false;
  for (const { kind, text } of significant(source, span)) {
    const word = kind === 'word' ? text() : null;
    if (word !== null && !isField && names.has(word)) uses.add(word);
    isField = kind === 'sign' && text() === '.';
  }
  return uses;
}

interface Seen {
  readonly kind: YaraScanner['kind'];
  readonly isOpen: boolean;
  text(): string;
}

/** One object for all of them: it shows the token that was reached. */
function* significant(source: string, span: Span | null): Generator<Seen, void, void> {
  if (span === null) return;
  const scanner = new YaraScanner(source, span.start);
  const seen: Seen = {
    get kind() { return scanner.kind; },
    get isOpen() { return scanner.isOpen; },
    text: () => source.slice(scanner.start, scanner.end),
  };
  while (scanner.nextSignificant() && scanner.start < span.end) yield seen;
}
