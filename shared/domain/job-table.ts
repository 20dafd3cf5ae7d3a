import { sentenceFor } from '../failure-sentences.ts';
import { csvFileHead, csvLine } from './csv.ts';
import { hashKindOf } from './hash.ts';
import type { ItemState, JobItem } from './job.ts';

/**
 * The items of a job as text, for the clipboard and for a file. Made page by page: the pieces are put one behind the
 * other.
 */

const outcomeWords: Record<ItemState, string> = {
  mismatch: 'mismatch',
  forbidden: 'forbidden',
  failed: 'failed',
  refused: 'refused',
  vanished: 'vanished',
  unknown: 'unknown',
  'needs-md5': 'needs an MD5',
  cancelled: 'cancelled',
  waiting: 'waiting',
  done: 'done',
  'already-here': 'already here',
};

/** One line of the table. `sha256` is also known where the hash that was given is one. */
interface Line {
  sha256: string | null;
  md5: string | null;
  /** As the person gave it. */
  hash: string;
  outcome: string;
  reason: string | null;
  sizeBytes: number | null;
  /** Of a file that was uploaded. */
  name: string | null;
}

const columns = ['sha256', 'md5', 'hash', 'outcome', 'reason', 'size_bytes', 'name'];
/** For the clipboard. */
export const csvHead = csvLine(columns);
export const itemsCsvFileHead = csvFileHead(columns);

export function csvRows(items: readonly JobItem[]): string {
  return items
    .map(lineOf)
    .map(({ sha256, md5, hash, outcome, reason, sizeBytes, name }) =>
      csvLine([sha256, md5, hash, outcome, reason, sizeBytes, name]),
    )
    .join('');
}

export const jsonHead = '[';

/** `isFirst`: nothing came before these items. */
export function jsonRows(items: readonly JobItem[], isFirst: boolean): string {
  return items
    .map((item, index) => `${isFirst && index === 0 ? '\n' : ',\n'}${indented(JSON.stringify(lineOf(item), null, 2))}`)
    .join('');
}

export const jsonTail = '\n]\n';

/** The hashes as they were given, one a line. */
export const hashLines = (items: readonly JobItem[]): string => items.map(({ hash }) => `${hash}\n`).join('');

function lineOf({ hash, md5, sha256, state, sizeBytes, name, failure }: JobItem): Line {
  const sentence = failure && sentenceFor(failure);
  const given = hashKindOf(hash);
  return {
    sha256: sha256 ?? (given === 'sha256' ? hash : null),
    md5: md5 ?? (given === 'md5' ? hash : null),
    hash,
    outcome: outcomeWords[state],
    reason: sentence && `${sentence.what}. ${sentence.then}`,
    sizeBytes,
    name,
  };
}

/** Line feeds alone end lines here: JSON escapes those within a text, and no other line end. */
const indented = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`;
