import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { NameEncoding } from '../../../shared/domain/opened-archive.ts';
import {
  mostDraftFiles,
  type Presence,
  type RequestLimits,
  type UploadChange,
  type UploadDraft,
  type UploadFile,
  type UploadOrder,
  type UploadTarget,
} from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { NewItem } from '../../jobs/job-store.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';
import type { UploadNote } from '../library/library-notes.ts';
import { KnownTags } from '../library/library-tags.ts';
import { type Changes, UploadEditing } from './upload-editing.ts';
import { type HashedUpload, type SizeRange, UploadIntake, UploadQueues } from './upload-intake.ts';
import { UploadPlaces } from './upload-places.ts';
import { UploadSames, UploadTlps, watchKnownTlps } from './upload-relations.ts';
import {
  draftInOrder,
  draftOrder,
  type NewUploadFile,
  type OpenedArchive,
  type StoredUploadFile,
  storedUploadFileOf,
  uploadColumns,
  uploadFileOf,
  uploadRow,
} from './upload-rows.ts';
import { forgetUploadsOf, UploadSending, uploadsInDoubt } from './upload-sending.ts';
import { UploadTotals } from './upload-totals.ts';

export type { NewUploadFile, OpenedArchive, StoredUploadFile } from './upload-rows.ts';
export type { HashedUpload } from './upload-intake.ts';

/** What one step takes on: some milliseconds. */
const filesAStep = 250;

const totalRow = z.object({ total: z.number() });
const stagedRow = z.object({ id: z.number(), stagedId: z.string(), place: z.string().nullable() });

/**
 * The drafts of uploads, one a workspace, and the files of uploads under way. A call is one transaction; those that end
 * in `InSteps` are several, of a few hundred files each, and the caller yields its thread in between. Unless stated
 * otherwise, writes are safe from a crash at once, and from a power cut soon.
 */
export class UploadStore {
  readonly places: UploadPlaces;
  readonly #db: Database;
  readonly #intake: UploadIntake;
  readonly #queues: UploadQueues;
  readonly #editing: UploadEditing;
  readonly #sending: UploadSending;
  readonly #totals: UploadTotals;
  readonly #tags: KnownTags;
  readonly #tlps: UploadTlps;
  readonly #total;
  readonly #window;
  readonly #one;
  readonly #staged;

  constructor(db: Database) {
    const tlps = new UploadTlps(db);
    const sames = new UploadSames(db, tlps);
    this.#db = db;
    this.places = new UploadPlaces(db);
    this.#intake = new UploadIntake(db, sames, tlps);
    this.#queues = new UploadQueues(db);
    this.#editing = new UploadEditing(db, sames, tlps);
    this.#sending = new UploadSending(db, sames, tlps);
    this.#totals = new UploadTotals(db);
    this.#tags = new KnownTags(db);
    this.#tlps = tlps;
    this.#total = db.query(totalRow, `SELECT count(*) AS total ${draftInOrder}`);
    this.#window = db.query(uploadRow, `SELECT ${uploadColumns} ${draftInOrder} ${draftOrder} LIMIT ?2 OFFSET ?3`);
    this.#one = db.query(uploadRow, `SELECT ${uploadColumns} FROM upload_file WHERE id = ?`);
    this.#staged = db.query(
      stagedRow,
      `SELECT id, staged_id AS stagedId, place FROM upload_file WHERE staged_id IS NOT NULL AND id > ? ORDER BY id
        LIMIT 1000`,
    );
  }

  /**
   * @returns their ids, in the order of the files. Fails with `draft-too-large`, or `upload-file-missing` of an archive
   * that is gone
   */
  add(workspaceId: string, files: readonly NewUploadFile[]): number[] {
    return this.#soon(() => {
      this.#editing.touch(workspaceId);
      return this.#intake.add(workspaceId, files);
    });
  }

  /** In the order in which they came, members below their archive. */
  window(workspaceId: string, offset: number, limit: number): { files: UploadFile[]; total: number } {
    return {
      files: this.#window.all(workspaceId, limit, offset).map(uploadFileOf),
      total: this.#total.get(workspaceId)?.total ?? 0,
    };
  }

  get(id: number): StoredUploadFile | null {
    const row = this.#one.get(id);
    return row && storedUploadFileOf(row);
  }

  /** Of drafts and of uploads. */
  *everyStaged(): Generator<{ stagedId: string; place: unknown }, void, undefined> {
    for (let after = 0; ;) {
      const rows = this.#staged.all(after);
      yield* rows.map(({ stagedId, place }) => ({ stagedId, place: placeOf(place) }));
      const end = rows.at(-1);
      if (end === undefined) return;
      after = end.id;
    }
  }

  toHash(limit: number, sizes: SizeRange = {}): StoredUploadFile[] {
    return this.#queues.toHash(limit, sizes);
  }

  toLook(limit: number): StoredUploadFile[] {
    return this.#queues.next('look', limit);
  }

  /** Archives that are `opening`. */
  toOpen(limit: number): StoredUploadFile[] {
    return this.#queues.next('open', limit);
  }

  toAsk(workspaceId: string, limit: number): StoredUploadFile[] {
    return this.#queues.toAsk(workspaceId, limit);
  }

  /** Still: what is to be asked may be unticked, or gone, before its turn comes. */
  isToAsk(id: number): boolean {
    return this.#queues.isToAsk(id);
  }

  workspacesToAsk(): string[] {
    return this.#queues.workspacesToAsk();
  }

  hashed(results: readonly HashedUpload[]): void {
    this.#soon(() => {
      for (const result of results) this.#intake.hashed(result);
    });
  }

  looked(results: readonly { id: number; mime: string | null; strip: string | null; isZip: boolean }[]): void {
    this.#soon(() => {
      for (const result of results) this.#queues.looked(result);
    });
  }

  /** The file cannot be sent. Another with the same bytes represents it, where there is one. */
  failed(id: number, failure: Failure): void {
    this.#soon(() => this.#editing.failed(id, failure));
  }

  /** One whose hashes are known could not be read, and can be now: it is to be looked at again. */
  foundAgain(id: number): void {
    this.#soon(() => this.#intake.foundAgain(id));
  }

  setArchive(id: number, facts: OpenedArchive): void {
    this.#soon(() => this.#queues.setArchive(id, facts));
  }

  /** Names of members as another encoding has them. Members that left the draft meanwhile are passed over. */
  *renameInSteps(
    archiveId: number,
    encoding: NameEncoding,
    members: readonly { member: number; name: string; path: string }[],
  ): Generator<void, void, undefined> {
    for (let at = 0; at < members.length; at += filesAStep) {
      this.#soon(() => this.#queues.rename(archiveId, members.slice(at, at + filesAStep)));
      yield;
    }
    this.#soon(() => this.#queues.setNameEncoding(archiveId, encoding));
  }

  /** @returns staged ids to discard */
  removeMembers(id: number): string[] {
    const archive = this.get(id);
    return archive
      ? this.#soon(() => [...this.#editing.membersRemoved(archive.workspaceId, [id], filesAStep)].flat())
      : [];
  }

  answered(
    results: readonly { id: number; presence: Exclude<Presence, 'unasked' | 'held'>; failure: Failure | null }[],
  ): void {
    this.#soon(() => {
      for (const result of results) this.#queues.answered(result);
    });
  }

  /**
   * Files that were asked about in vain, the first of them, are to be asked about again. @returns how many: fewer than
   * the limit when none is left
   */
  askAgain(workspaceId: string, limit: number = mostDraftFiles): number {
    return this.#soon(() => this.#queues.askAgain(workspaceId, limit));
  }

  /** With it a TLP comes to copies and members, and flags go of what is shut by it. Gives what each step did. */
  *changeInSteps(workspaceId: string, target: UploadTarget, change: UploadChange): Generator<Changes, void, undefined> {
    this.#soon(() => this.#tags.given(change.addTags ?? []));
    for (const ids of this.#editing.targets(workspaceId, target, filesAStep)) {
      yield* this.#stepsSoon(this.#editing.changed(workspaceId, ids, change, filesAStep));
    }
  }

  /** Ids of the ticked files of a draft, in its order. */
  ticked(workspaceId: string): number[] {
    return this.#editing.ticked(workspaceId);
  }

  /** Members go with their archive. Gives the staged ids to discard of each step. */
  *removeInSteps(workspaceId: string, target: UploadTarget): Generator<string[], void, undefined> {
    for (const ids of this.#editing.targets(workspaceId, target, filesAStep)) {
      yield* this.#stepsSoon(this.#editing.removed(workspaceId, ids, filesAStep));
    }
  }

  draft(workspaceId: string, limits: RequestLimits): UploadDraft {
    return this.#totals.of(workspaceId, limits);
  }

  setComment(workspaceId: string, text: string): void {
    this.#soon(() => this.#editing.comment(workspaceId, text));
  }

  commentOf(jobId: number): string {
    return this.#sending.commentOf(jobId);
  }

  /** How many of these files can be sent by themselves, and of how many that is not known yet. */
  named(workspaceId: string, ids: readonly number[]): { files: number; busy: number } {
    return this.#sending.named(workspaceId, ids);
  }

  /**
   * Moves what is sendable now, or only the files that are named, to the job, and the comment with it; what comes
   * meanwhile stays. Gives the items of each step: a step that they are not added after is undone by `returnOrphans`,
   * as long as the job was not begun.
   */
  *sendInSteps(workspaceId: string, jobId: number, only?: UploadOrder): Generator<NewItem[], void, undefined> {
    if (only) {
      yield* this.#stepsSoon(this.#sending.moveNamed(workspaceId, jobId, only, filesAStep));
      return;
    }
    const last = this.#sending.last();
    for (let mayBeMore = true; mayBeMore;) {
      const step = this.#soon(() => this.#sending.moveSome(workspaceId, jobId, last, filesAStep));
      mayBeMore = step.mayBeMore;
      if (step.items.length > 0) yield step.items;
    }
  }

  /**
   * Archives of the draft whose members have all left it, the last of them with this job. One that is ticked is meant
   * for itself.
   */
  emptiedBy(jobId: number): number[] {
    return this.#sending.emptiedBy(jobId);
  }

  bytesOfJob(jobId: number): number {
    return this.#sending.bytesOf(jobId);
  }

  filesOfJob(jobId: number, sha256s: readonly string[]): StoredUploadFile[] {
    return this.#sending.ofJob(jobId, sha256s);
  }

  /**
   * @returns staged ids of files of its draft that a person added, and that held the same bytes when they were hashed
   */
  copiesOf(id: number): string[] {
    return this.#sending.copiesOf(id);
  }

  /** Reports files of drafts whose TLP is to be raised, at a time when that may not be done yet. To be called once. */
  watchKnown(reported: (id: number) => void): void {
    watchKnownTlps(this.#db, reported);
  }

  /** Raises the TLP of files of drafts to the one in the library. @returns the workspaces of the changed files */
  raiseToKnown(ids: readonly number[]): Set<string> {
    const before = ids.flatMap((id) => this.get(id) ?? []);
    this.#soon(() => this.#tlps.raiseToKnown(ids));
    return new Set(before.filter(({ id, tlp }) => this.get(id)?.tlp !== tlp).map(({ workspaceId }) => workspaceId));
  }

  /**
   * For files of a job, right before a request with them: applies the library's current TLP. @returns by id how they
   * are sent
   */
  guarded(ids: readonly number[]): Map<number, Pick<StoredUploadFile, 'tlp' | 'virusTotal' | 'sandbox'>> {
    this.#soon(() => this.#tlps.guardSent(ids));
    return new Map(
      ids.flatMap((id) => {
        const file = this.get(id);
        return file === null ? [] : [[id, { tlp: file.tlp, virusTotal: file.virusTotal, sandbox: file.sandbox }]];
      }),
    );
  }

  /** Safe from a power cut when it returns. */
  markMaySent(ids: readonly number[]): void {
    this.#db.transaction(() => this.#sending.mark(ids, 'maySent'));
  }

  /** The service refused the request with them, and may have kept some of it. */
  markRefused(ids: readonly number[]): void {
    this.#soon(() => this.#sending.mark(ids, 'refused'));
  }

  clearMaySent(ids: readonly number[]): void {
    this.#soon(() => this.#sending.mark(ids, 'none'));
  }

  /**
   * Makes all names of these bytes in the draft names of the sample. To be called before the library gets the sample,
   * which makes them searchable.
   */
  keepNames(ids: readonly number[]): void {
    this.#soon(() => this.#sending.keepNames(ids));
  }

  /**
   * Their outcome is final and good: they are no more, and copies of them in the draft need not be sent. Gives staged
   * ids to discard, and how many copies there are.
   */
  settled(ids: readonly number[]): { staged: string[]; copies: number } {
    return this.#soon(() => ({ copies: this.#sending.nowThere(ids), staged: this.#sending.settled(ids) }));
  }

  /** What of a job left whole and was not answered. */
  inDoubt(jobId: number): UploadNote[] {
    return uploadsInDoubt(this.#db, { jobId });
  }

  /** @returns staged ids to discard */
  forgetJob(jobId: number): string[] {
    return this.#soon(() => this.#sending.forget(jobId));
  }

  /** Its draft, and what its uploads have not settled. @returns staged ids to discard */
  forgetWorkspace(workspaceId: string): string[] {
    return this.#soon(() => forgetUploadsOf(this.#db, workspaceId));
  }

  /** What other stores write in `work` is stored with it or not at all. */
  together<T>(work: () => T): T {
    return this.#soon(work);
  }

  /** To be called at the start: files whose job never began, or is gone, return to their draft. */
  returnOrphans(): void {
    this.#soon(() => this.#sending.returnOrphans(currentInstant()));
  }

  *#stepsSoon<Step>(steps: Generator<Step, void, undefined>): Generator<Step, void, undefined> {
    for (let step = this.#soon(() => steps.next()); !step.done; step = this.#soon(() => steps.next())) yield step.value;
  }

  #soon<T>(work: () => T): T {
    return this.#db.transaction(work, 'soon');
  }
}

const placeOf = (text: string | null): unknown => (text === null ? null : (readJson(text) ?? null));
