import { YaraScanner, type YaraText, type YaraTokenKind } from './yara-scanner.ts';

export type { YaraTokenKind } from './yara-scanner.ts';

/**
 * YARA source as tokens: enough of the language to tell rules, strings, comments and words apart (YARA's manual,
 * "Writing YARA rules"; the lexers of YARA 4 and YARA-X). Total: the tokens of any text join to exactly that text.
 */
export interface YaraToken {
  kind: YaraTokenKind;
  /** UTF-16 offsets; `end` is exclusive. */
  start: number;
  end: number;
  /** A comment, a text, a hex string or a regular expression whose end is missing. */
  isOpen?: true;
}

/** In order, none left out. Time grows with the length alone. */
export function* yaraTokens(source: YaraText): Generator<YaraToken, void, void> {
  const scanner = new YaraScanner(source);
  while (scanner.next()) {
    const { kind, start, end } = scanner;
    yield scanner.isOpen ? { kind, start, end, isOpen: true } : { kind, start, end };
  }
}

/** Words with a meaning of their own (YARA's manual, "YARA keywords"; `with` is one of YARA-X). */
export const yaraKeywords: ReadonlySet<string> = new Set([
  'all',
  'and',
  'any',
  'ascii',
  'at',
  'base64',
  'base64wide',
  'condition',
  'contains',
  'defined',
  'endswith',
  'entrypoint',
  'false',
  'filesize',
  'for',
  'fullword',
  'global',
  'icontains',
  'iendswith',
  'iequals',
  'import',
  'in',
  'include',
  'int16',
  'int16be',
  'int32',
  'int32be',
  'int8',
  'int8be',
  'istartswith',
  'matches',
  'meta',
  'nocase',
  'none',
  'not',
  'of',
  'or',
  'private',
  'rule',
  'startswith',
  'strings',
  'them',
  'true',
  'uint16',
  'uint16be',
  'uint32',
  'uint32be',
  'uint8',
  'uint8be',
  'wide',
  'with',
  'xor',
]);
