import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BundledRecord, BundledSample } from '../../../shared/domain/bundle.ts';
import { boundedTime } from '../../../shared/domain/clock.ts';
import { isNumbered } from '../../../shared/domain/comment.ts';
import type { Comment, SampleRecord } from '../../../shared/domain/sample.ts';
import { strictestTlp, type TlpLevel, tlpLevels, tlpOf } from '../../../shared/domain/tag.ts';

/**
 * Compares the contents of a bundle with the data in Vitrine: once for the preview of the bundle, and again when it is
 * imported.
 */
type NoteStanding = 'new' | 'same' | 'added';

/**
 * What is in ours already is not said again: taking a bundle in twice adds nothing. A part of a line or a paragraph is
 * not the whole of it.
 */
export function noteStanding(ours: string | null, theirs: string): NoteStanding {
  if (ours === null || ours.trim() === '') return 'new';
  return `\n\n${ours.trim()}\n\n`.includes(`\n\n${theirs.trim()}\n\n`) ? 'same' : 'added';
}

export const isStricter = (theirs: TlpLevel, ours: TlpLevel | null): boolean =>
  ours === null || tlpLevels.indexOf(theirs) > tlpLevels.indexOf(ours);

interface RecordStanding {
  /** Of the newest of theirs. */
  record: 'new' | 'newer' | 'same' | 'older';
  /** Comments of theirs that ours has not, and that it has. */
  comments: { new: number; same: number };
  /** What is to be kept in place of ours; null: ours stays as it is. */
  merged: BundledRecord | null;
  /** The record is of other bytes with the same MD5: ours stays, whatever theirs contains. */
  isOfOtherBytes: boolean;
}

/**
 * `theirs` are of one sample; null when none of them speaks of it. `proven`: SHA-256s of bytes with its MD5 that were
 * hashed here.
 */
export function recordStanding(
  ours: BundledRecord | null,
  theirs: readonly BundledRecord[],
  sample: Pick<BundledSample, 'md5' | 'sha256'>,
  proven: readonly string[] = [],
): RecordStanding | null {
  const about = recordsAbout(theirs, sample);
  const newest = about.map(withTime).toSorted((one, other) => other.time - one.time)[0];
  if (newest === undefined) return null;
  if (isOfOtherBytes(ours, newest.record.sha256 ?? sample.sha256, proven))
    return { record: 'older', comments: { new: 0, same: 0 }, merged: null, isOfOtherBytes: true };
  const { fresh, same } = commentsOfBundle(
    ours?.record.comments ?? [],
    about.map(({ record }) => record.comments),
  );
  const reported = {
    ...strictestOf(about, ours, newest.record),
    comments: [...(ours?.record.comments ?? []), ...fresh],
  };
  const record =
    ours === null ? 'new' : isTheSame(reported, ours.record) ? 'same' : standingOf(newest.time, withTime(ours).time);
  return {
    record,
    comments: { new: fresh.length, same },
    merged: mergedOf(ours, { readAt: newest.readAt, record: reported }, record, fresh.length),
    isOfOtherBytes: false,
  };
}

const recordsAbout = (
  theirs: readonly BundledRecord[],
  sample: Pick<BundledSample, 'md5' | 'sha256'>,
): BundledRecord[] =>
  theirs.filter(
    ({ record }) =>
      (record.md5 ?? sample.md5) === sample.md5 &&
      (sample.sha256 === null || (record.sha256 ?? sample.sha256) === sample.sha256),
  );

/**
 * The strictest TLP that a bundle states for a sample. Its own TLP should be that, but a record may hold a stricter one
 * than its maker knew.
 */
export const reportedTlp = (
  sample: Pick<BundledSample, 'md5' | 'sha256' | 'tlp'>,
  theirs: readonly BundledRecord[],
): TlpLevel | null =>
  strictestTlp([sample.tlp, ...recordsAbout(theirs, sample).map(({ record }) => tlpOf(record.tags))]);

/** Bytes that were hashed here have no other MD5 or SHA-1: `known` is what their SHA-256 has here. */
export const contradictsBytes = (
  { md5, sha1 }: Pick<BundledSample, 'md5' | 'sha1'>,
  known: { verified: number; md5: string; sha1: string | null } | null,
): boolean =>
  known !== null &&
  known.verified === 1 &&
  (known.md5 !== md5 || (sha1 !== null && known.sha1 !== null && known.sha1 !== sha1));

/** A future time comes from a clock that is or was ahead: its record is only newer than none. */
function withTime({ readAt, record }: BundledRecord): BundledRecord & { time: number } {
  const [time, now] = [Date.parse(readAt), Date.now()];
  return time > now ? { readAt: boundedTime(now).toISOString(), record, time: 0 } : { readAt, record, time };
}

function isOfOtherBytes(ours: BundledRecord | null, named: string | null, proven: readonly string[]): boolean {
  const known = ours?.record.sha256 ?? null;
  if (named === null || known === named) return false;
  return known !== null || (proven.some((one) => one !== named) && (ours !== null || !proven.includes(named)));
}

/** Of two that were read by clocks that were ahead none is newer: ours stays. */
const standingOf = (theirs: number, ours: number): RecordStanding['record'] =>
  theirs > ours ? 'newer' : theirs === ours && theirs !== 0 ? 'same' : 'older';

/** Fields that theirs leaves out keep our values; the TLP is the strictest that any of them carried. */
function strictestOf(theirs: readonly BundledRecord[], ours: BundledRecord | null, newest: SampleRecord): SampleRecord {
  const record =
    ours === null
      ? newest
      : { ...filled(newest, ours.record), listsComments: newest.listsComments || ours.record.listsComments };
  const strictest = strictestTlp([...theirs, ...(ours === null ? [] : [ours])].map((one) => tlpOf(one.record.tags)));
  const isLost = strictest !== null && isStricter(strictest, tlpOf(record.tags));
  return isLost ? { ...record, tags: [...record.tags, `tlp:${strictest}`] } : record;
}

function filled(theirs: SampleRecord, ours: SampleRecord): SampleRecord {
  const empty = new Set(Object.entries(theirs).flatMap(([name, value]) => (isEmpty(value) ? [name] : [])));
  return { ...theirs, ...Object.fromEntries(Object.entries(ours).filter(([name]) => empty.has(name))) };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.values(value).every(isEmpty));

const isTheSame = (reported: SampleRecord, ours: SampleRecord): boolean =>
  isDeepStrictEqual({ ...reported, comments: [] }, { ...ours, comments: [] });

function mergedOf(
  ours: BundledRecord | null,
  reported: BundledRecord,
  standing: RecordStanding['record'],
  fresh: number,
): BundledRecord | null {
  if (ours === null || standing === 'newer') return reported;
  if (fresh === 0) return null;
  return {
    readAt: ours.readAt,
    record: { ...ours.record, comments: reported.record.comments, listsComments: reported.record.listsComments },
  };
}

const givenByABundle = /^bundle-[0-9a-f]{32}$/;

/**
 * What a comment of a bundle is called here. The numbers of another service may be other comments' of this
 * computer's; and an id that a reader made up is of a place in its list. A comment that came by a bundle keeps its name
 * on its way through any number of computers.
 */
function nameOf({ id, author, content, created }: Comment): string {
  if (givenByABundle.test(id)) return id;
  const said = JSON.stringify([isNumbered(id) ? id : null, author, content, created]);
  return `bundle-${hash('sha256', said).slice(0, 32)}`;
}

/**
 * Those of theirs that ours has not, under names of their own, and how many it has. What equals one of ours, its id
 * too, is that one.
 */
function commentsOfBundle(
  ours: readonly Comment[],
  theirs: readonly (readonly Comment[])[],
): { fresh: Comment[]; same: number } {
  const idsHere = new Map(ours.map((comment) => [nameOf(comment), comment.id]));
  const all = new Map<string, Comment>();
  for (const thread of theirs) {
    const named = thread.map((comment) => ({ comment, name: nameOf(comment) }));
    const idsInThread = new Map(named.toReversed().map(({ comment, name }) => [comment.id, idsHere.get(name) ?? name]));
    for (const { comment, name } of named) {
      const parentId = comment.parentId === null ? null : (idsInThread.get(comment.parentId) ?? null);
      if (!all.has(name)) all.set(name, { ...comment, id: name, parentId });
    }
  }
  const fresh = [...all.values()].filter(({ id }) => !idsHere.has(id));
  return { fresh, same: all.size - fresh.length };
}
