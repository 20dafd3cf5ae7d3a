import { longestLine } from '../../../shared/domain/line-difference.ts';
import type { RuleSource } from '../../../shared/domain/publication.ts';
import { longestTrial, type RuleToTry } from '../../../shared/domain/rule-trial.ts';
import type { ParsedRule } from '../parsed-package.ts';
import { type RuleInstance, usedBy } from '../rule-binding.ts';
import { cutText } from './cut-text.ts';
import { type IndexedPackage, keyIn } from './indexed-package.ts';
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

/**
 * In its first namespace: the rules that it uses, the global rules that bind it, and what those use. A broken rule
 * comes alone.
 */
export function ruleToTry(pack: IndexedPackage, rule: ParsedRule): RuleToTry {
  const textOf = ({ file, start, end }: ParsedRule): string => pack.files.get(file)?.text.slice(start, end) ?? '';
  const instance = pack.instances.find((one) => one.rule === rule) ?? null;
  const needed = instance === null ? new Set<RuleInstance>() : closureOf(pack, instance);
  const others = [...new Set(pack.instances.filter((one) => needed.has(one)).map((one) => one.rule))].filter(
    (one) => one !== rule,
  );
  const rules = [...others, rule];
  const imports = new Set(rules.flatMap(({ file }) => pack.files.get(file)?.imports.map(({ value }) => value) ?? []));
  const text = [...Array.from(imports, (module) => `import "${module}"`), rules.map(textOf).join('\n\n')].join('\n');
  return { text: text.length > longestTrial ? null : text, others: others.map((one) => keyIn(pack, one)) };
}

function closureOf({ instances }: IndexedPackage, instance: RuleInstance): Set<RuleInstance> {
  const needed = new Set([instance, ...instances.filter(({ isGlobal }) => isGlobal)]);
  for (const one of needed) for (const used of [...usedBy(one), ...one.guards]) needed.add(used);
  return needed;
}
