/** The words that say where a rule, a statement or a section begins. */
export type Keyword = 'rule' | 'private' | 'global' | 'import' | 'include' | 'meta' | 'strings' | 'condition';

const keywords: readonly Keyword[] = ['rule', 'private', 'global', 'import', 'include', 'meta', 'strings', 'condition'];
const shortest = 4;
/** By their first character: every word of a package is asked about. */
const byFirst = Array.from({ length: 128 }, (_, code) => keywords.filter((keyword) => keyword.charCodeAt(0) === code));

/** null: the word there is another one. */
export function keywordAt(source: string, start: number, end: number): Keyword | null {
  if (end - start < shortest) return null;
  for (const keyword of byFirst[source.charCodeAt(start)] ?? []) {
    if (keyword.length === end - start && source.startsWith(keyword, start)) return keyword;
  }
  return null;
}
