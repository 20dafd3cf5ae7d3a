import type { BundledRecord, BundledSample } from '../../shared/domain/bundled.ts';
import { isNumbered } from '../../shared/domain/comment.ts';
import type { Comment } from '../../shared/domain/sample.ts';
import { type TlpLevel, tlpLevels } from '../../shared/domain/tlp.ts';

/** How what a bundle says stands to what this desk says: asked when it is looked through, and again when it is taken in. */
export type NoteStanding = 'new' | 'same' | 'added';

/** What is in ours already is not said again: taking a bundle in twice adds nothing. */
export function noteStanding(ours: string | null, theirs: string): NoteStanding {
  if (ours === null || ours.trim() === '') return 'new';
  return ours.includes(theirs.trim()) ? 'same' : 'added';
}

export const isStricter = (theirs: TlpLevel, ours: TlpLevel | null): boolean => ours === null || tlpLevels.indexOf(theirs) > tlpLevels.indexOf(ours);

export interface RecordStanding {
  /** Of the newest of theirs. */
  record: 'new' | 'newer' | 'same' | 'older';
  /** Comments of theirs that ours has not, and that it has. */
  comments: { new: number; same: number };
  /** What is to be kept in place of ours; null: ours stays as it is. */
  merged: BundledRecord | null;
}

/** `theirs` are of one sample; null when none of them speaks of it. */
export function recordStanding(ours: BundledRecord | null, theirs: readonly BundledRecord[], sample: Pick<BundledSample, 'md5' | 'sha256'>): RecordStanding | null {
  const about = theirs.filter(({ record }) => (record.md5 ?? sample.md5) === sample.md5 && (sample.sha256 === null || (record.sha256 ?? sample.sha256) === sample.sha256));
  const newest = about.map(withTime).toSorted((one, other) => other.time - one.time)[0];
  if (newest === undefined) return null;
  const all = distinct(about.flatMap(({ record }) => record.comments));
  const fresh = without(all, ours?.record.comments ?? []);
  const comments = { new: fresh.length, same: all.length - fresh.length };
  const record = ours === null ? 'new' : standingOf(newest.time - Date.parse(ours.readAt));
  return { record, comments, merged: merged(ours, newest, { record, fresh, all }) };
}

/** Whose clock is ahead says nothing of tomorrow: else its record would be the newest for ever. */
const withTime = (one: BundledRecord): BundledRecord & { time: number } => ({ ...one, time: Math.min(Date.parse(one.readAt), Date.now()) });

const standingOf = (later: number): RecordStanding['record'] => (later === 0 ? 'same' : later > 0 ? 'newer' : 'older');

function merged(ours: BundledRecord | null, { record, time }: BundledRecord & { time: number }, theirs: { record: RecordStanding['record']; fresh: readonly Comment[]; all: readonly Comment[] }): BundledRecord | null {
  const isTheirs = ours === null || theirs.record === 'newer';
  if (isTheirs) {
    const kept = without(ours?.record.comments ?? [], theirs.all);
    return { readAt: new Date(time).toISOString(), record: { ...record, comments: [...theirs.all, ...kept], listsComments: record.listsComments || (ours?.record.listsComments ?? false) } };
  }
  if (theirs.fresh.length === 0) return null;
  return { readAt: ours.readAt, record: { ...ours.record, comments: [...ours.record.comments, ...theirs.fresh], listsComments: ours.record.listsComments || record.listsComments } };
}

/** A number of one service may be another comment's of another one; an id that a reader made up is of a place in its list. */
const identityOf = ({ id, author, content, created }: Comment): string => JSON.stringify([isNumbered(id) ? id : null, author, content, created]);

function without(comments: readonly Comment[], others: readonly Comment[]): Comment[] {
  const known = new Set(others.map(identityOf));
  return comments.filter((one) => !known.has(identityOf(one)));
}

const distinct = (comments: readonly Comment[]): Comment[] => [...new Map(comments.map((one) => [identityOf(one), one])).values()];
