import { assertNever } from '../../../shared/assert-never.ts';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import { csvHead, csvRows, hashLines, jsonHead, jsonRows, jsonTail } from '../../../shared/domain/job-table.ts';
import type { JobItem } from '../../../shared/domain/job.ts';
import { type ToldSample, toldSample } from '../../../shared/domain/sample-table.ts';

/** What is copied of items as such, with what became of each. */
export const itemForms = ['asked', 'csv', 'json'] as const;
export type ItemForm = (typeof itemForms)[number];

const itemsAtOnce = 200;

/** Items as text, in pieces of a few milliseconds each. */
export function* itemPieces(form: ItemForm, items: readonly JobItem[]): Generator<string, void> {
  if (form === 'csv') yield csvHead;
  if (form === 'json') yield jsonHead;
  for (let first = 0; first < items.length; first += itemsAtOnce)
    yield itemRows(form, items.slice(first, first + itemsAtOnce), first === 0);
  if (form === 'json') yield jsonTail;
}

function itemRows(form: ItemForm, items: readonly JobItem[], isFirst: boolean): string {
  switch (form) {
    case 'asked':
      return hashLines(items);
    case 'csv':
      return csvRows(items);
    case 'json':
      return jsonRows(items, isFirst);
    default:
      return assertNever(form);
  }
}

/** As far as an item knows its sample: the hash that was given is one of it. */
export function toldItem({ hash, md5, sha256, name, sizeBytes }: JobItem): ToldSample {
  const given = hashKindOf(hash);
  return toldSample({
    sha256: sha256 ?? (given === 'sha256' ? hash : null),
    sha1: given === 'sha1' ? hash : null,
    md5: md5 ?? (given === 'md5' ? hash : null),
    name,
    sizeBytes,
  });
}
