import type { BrokenRule } from '../../shared/domain/publication.ts';
import type { RuleFile } from './rule-file.ts';
import type { Span } from './split-file.ts';
import { splitRules } from './split-rules.ts';

/**
 * Files with blanks in the place of what is broken in them: rules, and `import` and `include` lines. All other lines
 * keep their numbers.
 */
export function withoutBroken(files: readonly RuleFile[], broken: readonly BrokenRule[]): RuleFile[] {
  const byFile = new Map<string, BrokenRule[]>();
  for (const one of broken) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
  return files.map((file) => {
    const own = byFile.get(file.path);
    return own === undefined ? file : blanked(file, own);
  });
}

function blanked({ path, bytes }: RuleFile, broken: readonly BrokenRule[]): RuleFile {
  const text = Buffer.from(bytes).toString();
  const { rules, imports, includes } = splitRules(text);
  const isBroken = (rule: string | null, from: number, to: number): boolean =>
    broken.some((one) => one.rule === rule && one.line >= from && one.line <= to);
  const spans: Span[] = [
    ...rules.filter(({ name, line, endLine }) => isBroken(name, line, endLine)),
    ...[...imports, ...includes].filter(({ line }) => isBroken(null, line, line)),
  ];
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    pieces.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\r\n]/g, ' '));
    at = end;
  }
  return { path, bytes: Buffer.from(pieces.join('') + text.slice(at)) };
}
