import { assertNever } from '../../../shared/assert-never.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../../shared/contract.ts';
import { forbidsThirdParties } from '../../../shared/domain/tag.ts';
import type {
  TickedFiles,
  UploadChange,
  UploadDraft,
  UploadFile,
  UploadRemoval,
  UploadTarget,
} from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Result } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';

/** A change of files, shown before the host has it. */
interface Change {
  /** Its place among all writes of the draft; 0 until it is sent. */
  serial: number;
  target: UploadTarget;
  change: UploadChange;
  /** Milliseconds of the page's clock; null until the host has answered. */
  answeredAt: number | null;
  outcome: Promise<ChangeOutcome | null>;
}

/** What was done by some moment. Another array is another moment. */
type ChangesSoFar = readonly Change[];
type ChangeOutcome = OperationOutput<'uploads.change'>;
type DraftOperation = Extract<
  OperationName,
  | 'uploads.change'
  | 'uploads.remove'
  | 'uploads.comment'
  | 'uploads.send'
  | 'uploads.ask'
  | 'uploads.openArchive'
  | 'uploads.readNames'
>;

/** As many as one call takes. */
const mostNamed = 5000;
/** Longer than any window of files that was read before the answer is kept. */
const keptMs = 40_000;
/** As it was read, as it is drawn, and as it will be next. */
const copiesOfAFile = 3;

/**
 * What the person does with a draft, sent one after the other in the order it was done. Changes show at once: a file as
 * it was read is shown with every change that its reading cannot have known.
 */
export class DraftWrites {
  readonly #bridge: Bridge<File>;
  readonly #workspaceId: string;
  readonly #onAnswer: () => void;
  readonly #listeners = new Set<() => void>();
  #changes: ChangesSoFar = [];
  #last: Promise<unknown> = Promise.resolve();
  /** The change that was queued last, when nothing was queued after it. */
  #tail: Change | null = null;
  #serial = 0;
  #answered = 0;
  /** Another one whenever files are to be shown differently. */
  #revision = 0;
  #failure: Failure | null = null;
  readonly #known = new WeakMap<UploadDraft, number>();
  readonly #shown = new WeakMap<UploadFile, readonly UploadFile[]>();

  /** `onAnswer`: the draft is not as it was read. */
  constructor(bridge: Bridge<File>, workspaceId: string, onAnswer: () => void) {
    this.#bridge = bridge;
    this.#workspaceId = workspaceId;
    this.#onAnswer = onAnswer;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly revision = (): number => this.#revision;

  /** How many writes the host has answered: what is read from now on knows of these. */
  get answered(): number {
    return this.#answered;
  }

  /** Why the last write was not done. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** Numbers of the draft were asked for when `known` writes were answered. */
  note(numbers: UploadDraft, known: number): void {
    this.#known.set(numbers, known);
    this.#report();
  }

  /**
   * Whether all files that are meant with all were ticked, or none, where these numbers cannot know of it; else null.
   */
  ticksAll(numbers: UploadDraft): boolean | null {
    return (
      this.#since(numbers).findLast(
        ({ target, change }) => (target.kind === 'all' || target.kind === 'not-held') && change.isTicked !== undefined,
      )?.change.isTicked ?? null
    );
  }

  /** Which way the flag of all ticked files was set, where these numbers cannot know of it; else null. */
  flagsTicked(flag: 'virusTotal' | 'sandbox', numbers: UploadDraft): boolean | null {
    const last = this.#since(numbers).findLast(({ change }) => change[flag] !== undefined);
    return last?.target.kind === 'ticked' ? (last.change[flag] ?? null) : null;
  }

  /** @returns what the host made of it; null when it failed */
  change(target: UploadTarget, change: UploadChange): Promise<ChangeOutcome | null> {
    if (target.kind === 'files' && target.ids.length > mostNamed) {
      void this.change({ kind: 'files', ids: target.ids.slice(0, mostNamed) }, change);
      return this.change({ kind: 'files', ids: target.ids.slice(mostNamed) }, change);
    }
    return this.#joined(target, change) ?? this.#begin(target, change);
  }

  remove(target: UploadRemoval): Promise<Result<object>> {
    return this.send('uploads.remove', { workspaceId: this.#workspaceId, target });
  }

  /**
   * Once all that was done before is answered: takes the ticked file out, where it is a single one. @returns what was
   * ticked
   */
  removeSingle(): Promise<Result<TickedFiles>> {
    const workspaceId = this.#workspaceId;
    return this.#queue(async () => {
      const ticked = await this.#bridge.call('uploads.ticked', { workspaceId });
      if (!ticked.ok || ticked.value.files !== 1) return ticked;
      const removed = await this.#bridge.call('uploads.remove', {
        workspaceId,
        target: { kind: 'ticked', mark: ticked.value.mark },
      });
      return removed.ok ? ticked : removed;
    });
  }

  /** Sends a call once all that was done before it is answered. */
  send<N extends DraftOperation>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>> {
    return this.#queue(() => this.#bridge.call(name, input));
  }

  get changesSoFar(): ChangesSoFar {
    return this.#changes;
  }

  /**
   * The file as it was read when `known` writes were answered, with what was done since. What was done to many at once,
   * and is not among `drawn`, is left to be drawn later. The same object as long as it is shown the same, whatever else
   * was done.
   */
  shown(file: UploadFile, known: number, drawn: ChangesSoFar = this.#changes): UploadFile {
    const changes = this.#after(known).filter((change) => change.target.kind === 'files' || drawn.includes(change));
    const now = changes.reduce(
      (each, { target, change }) => (isMeant(target, each) ? changedFile(each, change) : each),
      file,
    );
    const copies = this.#shown.get(file) ?? [file];
    const before = copies.find((copy) => isChangedAlike(copy, now));
    if (before === undefined) this.#shown.set(file, [now, ...copies].slice(0, copiesOfAFile));
    return before ?? now;
  }

  dismissFailure(): void {
    this.#failure = null;
    this.#report();
  }

  /** The same change of other files, while the last one still waits: one call for both. */
  #joined(target: UploadTarget, change: UploadChange): Promise<ChangeOutcome | null> | null {
    const last = this.#tail;
    if (last === null || last.serial > 0 || target.kind !== 'files' || last.target.kind !== 'files') return null;
    if (
      JSON.stringify(last.change) !== JSON.stringify(change) ||
      last.target.ids.length + target.ids.length > mostNamed
    )
      return null;
    last.target = { kind: 'files', ids: [...new Set([...last.target.ids, ...target.ids])] };
    this.#report();
    return last.outcome;
  }

  #begin(target: UploadTarget, change: UploadChange): Promise<ChangeOutcome | null> {
    const begun: Change = { serial: 0, target, change, answeredAt: null, outcome: Promise.resolve(null) };
    this.#forgetOld();
    this.#changes = [...this.#changes, begun];
    begun.outcome = this.#queue(async (serial) => {
      begun.serial = serial;
      const answer = await this.#bridge.call('uploads.change', {
        workspaceId: this.#workspaceId,
        target: begun.target,
        change,
      });
      begun.answeredAt = performance.now();
      // What the host did not do is not shown as done.
      if (!answer.ok) this.#changes = this.#changes.filter((each) => each !== begun);
      return answer;
    }).then((answer) => (answer.ok ? answer.value : null));
    this.#tail = begun;
    this.#report();
    return begun.outcome;
  }

  #queue<T>(call: (serial: number) => Promise<Result<T>>): Promise<Result<T>> {
    this.#tail = null;
    const run = this.#last.then(async () => {
      this.#serial += 1;
      const answer = await call(this.#serial);
      this.#answered = this.#serial;
      this.#failure = answer.ok ? null : answer.failure;
      this.#report();
      this.#onAnswer();
      return answer;
    });
    // The caller that awaits it reports a defect, which does not hold up later writes.
    this.#last = run.catch(() => null);
    return run;
  }

  /** What was done that a reading cannot know of which began when `known` writes were answered. */
  #after(known: number): ChangesSoFar {
    return this.#changes.filter(({ serial }) => serial === 0 || serial > known);
  }

  /** Numbers that another caller requested count as new as the moment they were first seen here. */
  #since(numbers: UploadDraft): ChangesSoFar {
    const known = this.#known.get(numbers) ?? this.#answered;
    this.#known.set(numbers, known);
    return this.#after(known);
  }

  #forgetOld(): void {
    const oldest = performance.now() - keptMs;
    this.#changes = this.#changes.filter(({ answeredAt }) => answeredAt === null || answeredAt > oldest);
  }

  #report(): void {
    this.#revision += 1;
    for (const listener of this.#listeners) listener();
  }
}

export function isMeant(
  target: UploadTarget,
  { id, isTicked, presence }: Pick<UploadFile, 'id' | 'isTicked' | 'presence'>,
): boolean {
  switch (target.kind) {
    case 'files':
      return target.ids.includes(id);
    case 'all':
      return target.upTo === undefined || id <= target.upTo;
    case 'ticked':
      return isTicked;
    case 'not-held':
      return isTicked || presence !== 'held';
    default:
      return assertNever(target);
  }
}

/**
 * A file as the host will have it after the change: a TLP that forbids third parties takes the flags off and refuses
 * them.
 */
export function changedFile(file: UploadFile, change: UploadChange): UploadFile {
  const tlp = change.tlp === undefined ? file.tlp : change.tlp;
  const isOpen = !forbidsThirdParties(tlp);
  const removed = new Set(change.removeTags);
  return {
    ...file,
    tlp,
    isTicked: change.isTicked ?? file.isTicked,
    tags: [...new Set([...file.tags, ...(change.addTags ?? [])])].filter((tag) => !removed.has(tag)),
    virusTotal: isOpen && (change.virusTotal ?? file.virusTotal),
    sandbox: isOpen && (change.sandbox ?? file.sandbox),
  };
}

/** Whether two copies of one file are the same in what changes are made of. */
function isChangedAlike(one: UploadFile, other: UploadFile): boolean {
  return (
    one.tlp === other.tlp &&
    one.isTicked === other.isTicked &&
    one.virusTotal === other.virusTotal &&
    one.sandbox === other.sandbox &&
    one.tags.join('\n') === other.tags.join('\n')
  );
}
