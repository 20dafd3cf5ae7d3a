import type { RuleSource } from '../../../shared/domain/publication.ts';
import { longestLine } from '../../../shared/domain/line-words.ts';
import type { ParsedRule } from '../parsed-package.ts';
import { cutText } from './cut-text.ts';
import { linesOf } from './rule-lines.ts';

const mostLines = 5000;
const mostBytes = 256 * 1024;

/** A rule's text as a page may have it. */
export interface HeldSource {
  source: RuleSource;
  /** The lines of `source` before they were cut: what is compared. */
  lines: readonly string[];
}

/** `fileText`: of the file that the rule is in. */
export function heldSource(rule: ParsedRule, fileText: string): HeldSource {
  const lines: string[] = [];
  const shown: string[] = [];
  let bytes = 0;
  for (const line of linesOf(fileText, rule)) {
    const cut = cutText(line, longestLine);
    bytes += Buffer.byteLength(cut) + 1;
    if (lines.length === mostLines || bytes > mostBytes) break;
    lines.push(line);
    shown.push(cut);
  }
  const total = rule.endLine - rule.line + 1;
  const isCut = lines.length < total || shown.some((line, index) => line !== lines[index]);
  return { source: { file: rule.file, line: rule.line, text: shown.join('\n'), lines: total, isCut }, lines };
}
