import { YaraScanner } from '../../shared/domain/yara-scanner.ts';
import type { MetaEntry } from './parsed-package.ts';
import type { Span } from './split-file.ts';
import { textValue } from './text-value.ts';

/** The words of a rule's tags. */
export function readTags(source: string, span: Span | null): string[] {
  const tags: string[] = [];
  if (span === null) return tags;
  const scanner = new YaraScanner(source, span);
  while (scanner.nextSignificant()) {
    if (scanner.kind !== 'word') continue;
    tags.push(source.slice(scanner.start, scanner.end));
  }
  return tags;
}

/** Numbers, `true` and `false` as they are written, texts with their escapes resolved; keys may come again. */
export function readMeta(source: string, span: Span | null): MetaEntry[] {
  const meta: MetaEntry[] = [];
  if (span === null) return meta;
  let key: string | null = null;
  let sign = '';
  const scanner = new YaraScanner(source, span);
  while (scanner.nextSignificant()) {
    const text = source.slice(scanner.start, scanner.end);
    if (scanner.kind === 'sign') {
      sign = sign.length < 2 ? sign + text : '';
    } else if (key !== null && (sign === '=' || sign === '=-') && !scanner.isOpen) {
      meta.push({ key, value: sign.slice(1) + (scanner.kind === 'text' ? textValue(text) : text) });
      key = null;
      sign = '';
    } else {
      key = scanner.kind === 'word' ? text : null;
      sign = '';
    }
  }
  return meta;
}
