import { csvLine } from '../../../../shared/domain/csv.ts';
import type { ScannedFile } from '../../../../shared/domain/scan.ts';
import { shortOffset } from '../../../components/hex/offsets.ts';
import type { ShownHit, ShownMatch } from './shown-hits.ts';

export const copiedForms = ['rule', 'offset', 'text', 'csv', 'json'] as const;
export type CopiedForm = (typeof copiedForms)[number];

/** What is shown now, and can be copied. */
export interface CopySource {
  file: ScannedFile | null;
  rule: string | null;
  hit: ShownHit | null;
  matches: readonly ShownMatch[];
  match: number;
}

/** As text for the clipboard; null: there is none of it. CSV as RFC 4180 has it. */
export function copiedText(form: CopiedForm, { file, rule, hit, matches, match }: CopySource): string | null {
  const current = matches[match];
  if (form === 'rule') return rule;
  if (form === 'offset') return current === undefined ? null : shortOffset(current.offset);
  if (file === null || hit === null || matches.length === 0) return null;
  const rows = matches.map(({ label, offset, saidLength, data }) => ({
    string: label,
    offset,
    length: saidLength,
    data,
  }));
  if (form === 'text')
    return rows
      .map(
        ({ string, offset, length, data }) =>
          `${[hit.rule, string, shortOffset(offset), length ?? '', data ?? ''].join('\t')}\n`,
      )
      .join('');
  if (form === 'csv') {
    const head = csvLine(['sha256', 'file', 'rule', 'string', 'offset', 'length', 'data']);
    return (
      head +
      rows
        .map(({ string, offset, length, data }) =>
          csvLine([file.sha256, file.name, hit.rule, string, offset, length, data]),
        )
        .join('')
    );
  }
  return `${JSON.stringify({ sha256: file.sha256, file: file.name, rule: hit.rule, matches: rows }, null, 2)}\n`;
}
