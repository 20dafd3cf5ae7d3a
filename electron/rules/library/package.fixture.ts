import type { BrokenRule } from '../../../shared/domain/publication.ts';
import type { RuleFile } from '../package-files.ts';
import { parsePackage } from '../parse-package.ts';
import { type IndexedPackage, indexPackage } from './indexed-package.ts';

/** Files of a package, by their paths. */
export type Texts = Readonly<Record<string, string>>;

export const filesOf = (texts: Texts): RuleFile[] =>
  Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));

/** As it is without an engine, and what one is said to have found. */
export function packageOf(texts: Texts, broken: readonly BrokenRule[] = []): IndexedPackage {
  const parsed = parsePackage(filesOf(texts));
  return indexPackage(parsed, [...parsed.broken, ...broken]);
}

/** In five lines. */
export const ruleText = (
  name: string,
  { condition = 'true', meta = '1', head = '' }: { condition?: string; meta?: string; head?: string } = {},
): string => `${head}rule ${name} {\n  meta:\n    revision = ${meta}\n  condition: ${condition}\n}\n`;

export const brokenAt = (rule: string | null, file: string, line: number): BrokenRule => ({
  rule,
  file,
  line,
  kind: 'engine',
  text: 'unknown identifier',
});
