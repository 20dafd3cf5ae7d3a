import type { ItemState } from '../../../shared/domain/job.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { forbidsThirdParties, strictestTlp } from '../../../shared/domain/tag.ts';
import type { Presence } from '../../../shared/domain/upload.ts';
import type { Failure, ServiceName } from '../../../shared/failure.ts';
import type { UploadReply } from '../../api/uploads.ts';
import type { ItemOutcome, JobWork } from '../../jobs/job-runner.ts';
import type { UploadNote } from '../../storage/library/library-notes.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { StoredUploadFile } from '../../storage/uploads/upload-rows.ts';
import type { UploadStore } from '../../storage/uploads/upload-store.ts';
import type { Staging } from '../../vault/staging.ts';

interface UploadRecorderOptions {
  library: LibraryStore;
  store: UploadStore;
  staging: Staging;
  work: JobWork;
  workspaceId: string;
  /** The draft of the workspace is another now. */
  draftChanged(): void;
}

export interface Settled {
  sending: Sending;
  outcome: UploadOutcome;
}

/** Where the outcomes of a run become durable: item, library and journal in one transaction. */
export class UploadRecorder {
  readonly #options: UploadRecorderOptions;
  readonly #withComment: boolean;
  /** Positions of files of which something may have left in this run. */
  readonly #begun = new Set<number>();
  #discarding: Promise<void> = Promise.resolve();
  #undiscarded: { error: unknown } | null = null;

  constructor(options: UploadRecorderOptions) {
    this.#options = options;
    this.#withComment = options.store.commentOf(options.work.id) !== '';
  }

  /**
   * Before a byte of them leaves: whatever ends the program, the journal records that they may have left, with the
   * request's parameters and recipient.
   */
  announceSending(request: readonly Sending[], receiver: string): void {
    for (const { position } of request) this.#begun.add(position);
    const { store, library } = this.#options;
    store.together(() => {
      store.keepNames(request.map(({ file }) => file.id));
      library.recordUploads(request.map((sending) => this.#noteOf(sending, 'sending', { receiver })));
    });
  }

  /** Copies of files that are at the repository are no longer needed; the others are kept to be tried again. */
  settle(settled: readonly Settled[]): void {
    const { store, library, work, draftChanged } = this.#options;
    if (settled.length === 0) return;
    const { staged, copies } = store.together(() => {
      store.keepNames(settled.filter(({ outcome }) => isThere(outcome)).map(({ sending }) => sending.file.id));
      library.recordUploads(
        settled.map(({ sending, outcome: { state, failure } }) =>
          this.#noteOf(sending, failure?.kind ?? state, membersIn(failure)),
        ),
      );
      for (const { sending, outcome } of settled)
        if (outcome.state === 'already-here') keepLabels(library, sending.file);
      work.settle(settled.map(outcomeOf));
      store.clearMaySent(settled.map(({ sending }) => sending.file.id));
      return store.settled(settled.filter(({ outcome }) => isThere(outcome)).map(({ sending }) => sending.file.id));
    });
    if (copies > 0) draftChanged();
    this.#discarding = this.#discarding.then(() => this.#discard(staged));
  }

  /** Resolves when the unneeded copies are gone; rejects with the first reason why something could not be removed. */
  async close(): Promise<void> {
    await this.#discarding;
    if (this.#undiscarded) throw this.#undiscarded.error;
  }

  async #discard(staged: readonly string[]): Promise<void> {
    for (const id of staged) {
      await this.#options.staging.discard(id).catch((error: unknown) => {
        this.#undiscarded ??= { error };
      });
    }
  }

  #noteOf({ file, md5, sizeBytes, position }: Sending, outcome: string, more: UploadNote['detail'] = {}): UploadNote {
    const { workspaceId, work } = this.#options;
    const { sha1, sha256, tlp } = file;
    const asked =
      file.maySent || this.#begun.has(position) ? { ...flagsOf(file), ...this.#alongWith(file) } : nothingAsked;
    return {
      workspaceId,
      md5,
      sizeBytes,
      outcome,
      hashes: sha1 !== null && sha256 !== null ? { md5, sha1, sha256 } : null,
      detail: { job: work.id, sizeBytes, ...asked, tlp, ...(sha256 !== null && { sha256 }), ...more },
    };
  }

  /** That words went along, and how many of them were tags. Which ones is nothing for the journal: its rows stay. */
  #alongWith({ tags }: StoredUploadFile): { withComment: boolean; tags: number | null } {
    return { withComment: this.#withComment, tags: tags.length === 0 ? null : tags.length };
  }
}

/** Of an archive that the server took apart. */
const membersIn = (failure: Failure | null): UploadNote['detail'] =>
  failure?.kind === 'upload-unpacked'
    ? {
        membersStored: failure.stored,
        membersThere: failure.alreadyThere,
        membersRefused: failure.refused,
        membersDropped: failure.dropped,
      }
    : {};

/** Of a file that was not sent. */
const nothingAsked = { virusTotal: false, sandbox: false, withComment: false, tags: null } as const;

const isThere = ({ state }: UploadOutcome): boolean => state === 'done' || state === 'already-here';

const outcomeOf = ({ sending: { position, sizeBytes }, outcome: { state, failure } }: Settled): ItemOutcome => ({
  position,
  state,
  sizeBytes,
  failure,
});

/** One file on its way out, as the item of a job. */
export interface Sending {
  position: number;
  md5: string;
  sizeBytes: number;
  file: StoredUploadFile;
}

/** The outcome of a file. `done`: stored, and by this Vitrine. */
export interface UploadOutcome {
  state: Exclude<ItemState, 'waiting'>;
  failure: Failure | null;
}

/** Where a request went, for failures. */
export interface Place {
  service: ServiceName;
  address: string;
}

export const stored: UploadOutcome = { state: 'done', failure: null };
const thereBefore: UploadOutcome = { state: 'already-here', failure: null };
export const failedWith = (failure: Failure): UploadOutcome => ({
  state: failure.kind === 'forbidden' ? 'forbidden' : 'failed',
  failure,
});

export const mayHaveArrived = (place: Place): UploadOutcome => ({
  state: 'failed',
  failure: { kind: 'may-have-arrived', ...place, action: 'uploadfiles' },
});

/** A file that is stored now, and its record. */
export type Confirm = (sending: Sending, record: SampleRecord) => UploadOutcome;

/**
 * Before it is sent. null: it is to be sent. A file that may have left before is never sent again by itself, unless the
 * service refused it and does not have it.
 */
export function outcomeOfPresence(
  sending: Sending,
  answer: PresenceAnswer,
  place: Place,
  confirm: Confirm,
): UploadOutcome | null {
  const { maySent, wasRefused } = sending.file;
  if (answer.presence === 'there') return maySent ? confirm(sending, answer.record) : thereBefore;
  return maySent && !(wasRefused && answer.presence === 'new') ? mayHaveArrived(place) : null;
}

interface Replied extends Place {
  /** How many files the request carried. */
  sent: number;
  /** How many the list has. */
  items: number;
  /** The file is a ZIP. */
  isArchive: boolean;
  hasLeft: boolean;
  confirm: Confirm;
}

/** After a request that was answered with a list: what answers before all has left (`hasLeft`) knows nothing. */
export function outcomeOfReply(
  sending: Sending,
  said: SaidOfFile,
  answer: PresenceAnswer,
  { hasLeft, confirm, ...reply }: Replied,
): UploadOutcome {
  const { service, address } = reply;
  const { presence } = answer;
  if (presence === 'there') return said.kind === 'refused' ? thereBefore : confirm(sending, answer.record);
  if (said.kind === 'refused')
    return { state: 'refused', failure: { kind: 'upload-refused', service, address, text: said.words } };
  if (presence === 'unanswered' && (said.kind === 'doubtful' || (said.kind === 'accepted' && !hasLeft)))
    return mayHaveArrived({ service, address });
  if (said.kind === 'accepted' && presence === 'unanswered')
    return { state: 'done', failure: { kind: 'upload-unconfirmed', service, address } };
  return {
    state: 'vanished',
    failure: { kind: 'upload-vanished', ...reply },
  };
}

/** After a request without such an answer: only the record decides. null: it is not there. */
export const outcomeOfRecord = (sending: Sending, answer: PresenceAnswer, confirm: Confirm): UploadOutcome | null =>
  answer.presence === 'there' ? confirm(sending, answer.record) : null;

/**
 * What the reply to an upload states about one of its files. `silent`: nothing, which is an answer too: some servers
 * read only the first twenty files. `doubtful`: that it was accepted, in a reply of which not all could be read.
 */
type SaidOfFile = { kind: 'accepted' } | { kind: 'doubtful' } | { kind: 'refused'; words: string } | { kind: 'silent' };

/**
 * By MD5 alone, never by place or by name (docs/services.md, "uploadfiles"). Servers that refuse a file may name no
 * MD5: such words are then of every file the reply is silent about, since they cannot be attributed to one.
 */
export function saidOfFiles(md5s: readonly string[], { items, lacksSome }: UploadReply): Map<string, SaidOfFile> {
  const accepted: SaidOfFile = { kind: lacksSome === true ? 'doubtful' : 'accepted' };
  const named = new Map<string, SaidOfFile>();
  for (const { md5, error } of items) {
    if (md5 === null || named.get(md5) === accepted) continue;
    named.set(md5, error === null ? accepted : { kind: 'refused', words: error });
  }
  const nameless = [...new Set(items.flatMap(({ md5, error }) => (md5 === null && error !== null ? [error] : [])))];
  const rest: SaidOfFile =
    nameless.length === 0 ? { kind: 'silent' } : { kind: 'refused', words: nameless.join(' · ') };
  return new Map(md5s.map((md5) => [md5, named.get(md5) ?? rest]));
}

/**
 * A file that was not sent, because the repository has it, took nothing there: its labels stay local. A TLP that is
 * stricter already stays.
 */
function keepLabels(
  library: Pick<LibraryStore, 'sample' | 'changeSamples'>,
  { sha256, tags, tlp }: Pick<StoredUploadFile, 'sha256' | 'tags' | 'tlp'>,
): void {
  if (sha256 === null || (tags.length === 0 && tlp === null)) return;
  const own = library.sample(sha256)?.tlps.find(({ source }) => source === 'own')?.level ?? null;
  const strictest = strictestTlp([own, tlp]);
  library.changeSamples([sha256], { add: tags, remove: [], ...(strictest !== null && { tlp: strictest }) });
}

/** A file's tags as services take them: its TLP is one of them. */
export const tagsOf = ({ tags, tlp }: Pick<StoredUploadFile, 'tags' | 'tlp'>): string[] => [
  ...tags,
  ...(tlp === null ? [] : [`tlp:${tlp}`]),
];

/** Which third parties it goes to: none where its TLP forbids it, whatever was stored. */
export function flagsOf({ virusTotal, sandbox, tlp }: Pick<StoredUploadFile, 'virusTotal' | 'sandbox' | 'tlp'>): {
  virusTotal: boolean;
  sandbox: boolean;
} {
  const mayGo = !forbidsThirdParties(tlp);
  return { virusTotal: mayGo && virusTotal, sandbox: mayGo && sandbox };
}

/**
 * The repository does not have it, as far as it reports. A warning that it displayed before makes that no proof by
 * itself: only together with a reply that does not name the file as stored.
 */
export const isAbsent = ({ presence, failure }: PresenceAnswer): boolean =>
  presence === 'new' || failure?.kind === 'unknown-behind-warning';

/** Whether the repository has a file. Where that is not known, `failure` is the reason. */
export type PresenceAnswer =
  | { presence: Extract<Presence, 'there'>; failure: null; record: SampleRecord }
  | { presence: Extract<Presence, 'new'>; failure: null }
  | { presence: Extract<Presence, 'unanswered'>; failure: Failure };
