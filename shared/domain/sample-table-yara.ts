import type { FoundHash } from './hash-kinds.ts';
import type { ToldSample } from './sample-table-sample.ts';
import { bestHash } from './sample-table-hashes.ts';

/** More conditions in one rule take an engine seconds to compile; the caller keeps to it. */
export const mostInOneRule = 5000;

/**
 * One YARA rule that finds these samples and nothing else, each by its best known hash. Needs the module `hash`. Its
 * name is the same for the same samples in any order. Empty when no sample has a hash: such a rule would find nothing.
 */
export function sampleRule(samples: readonly ToldSample[]): string {
  const conditions = [
    ...new Set(
      samples
        .map(bestHash)
        .filter((hash) => hash !== null)
        .map(condition),
    ),
  ];
  if (conditions.length === 0) return '';
  return [
    'import "hash"',
    '',
    `rule vitrine_${conditions.length}_samples_${digest(conditions.toSorted())}`,
    '{',
    '  meta:',
    '    description = "Matches exactly these samples, by hash"',
    `    samples = ${conditions.length}`,
    '  condition:',
    conditions.map((each) => `    ${each}`).join(' or\n'),
    '}',
    '',
  ].join('\n');
}

const condition = ({ kind, value }: FoundHash): string => `hash.${kind}(0, filesize) == "${value}"`;

/** FNV-1a over the texts, as eight hexadecimal digits: tells names apart, protects nothing. */
function digest(texts: readonly string[]): string {
  let state = 0x811c9dc5;
  for (const text of texts)
    for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0).toString(16).padStart(8, '0');
}
