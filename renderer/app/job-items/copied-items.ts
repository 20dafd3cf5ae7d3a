import { csvHead, csvRows, hashLines, jsonHead, jsonRows, jsonTail } from '../../../shared/domain/job-table.ts';
import type { JobItem } from '../../../shared/domain/job.ts';
import { assertNever } from '../../../shared/assert-never.ts';

export const copiedForms = ['sha256', 'md5', 'asked', 'csv', 'json'] as const;
export type CopiedForm = (typeof copiedForms)[number];

/** Items as text, and how many of them it holds: a hash that is not known is left out. */
export function copiedItems(form: CopiedForm, items: readonly JobItem[]): { count: number; words: string } {
  switch (form) {
    case 'sha256': return lines(items.flatMap(({ sha256 }) => sha256 ?? []));
    case 'md5': return lines(items.flatMap(({ md5 }) => md5 ?? []));
    case 'asked': return { count: items.length, words: hashLines(items) };
    case 'csv': return { count: items.length, words: `${csvHead}${csvRows(items)}` };
    case 'json': return { count: items.length, words: `${jsonHead}${jsonRows(items, true)}${jsonTail}` };
    default: return assertNever(form);
  }
}

const lines = (values: readonly string[]): { count: number; words: string } => ({ count: values.length, words: values.map((value) => `${value}\n`).join('') });
