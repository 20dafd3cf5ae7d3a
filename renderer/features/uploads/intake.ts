import type { StagedFile } from '../../../shared/domain/upload.ts';
import type { Failure, FailureKind } from '../../../shared/failure-kinds.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { paced } from '../../bridge/paced.ts';
import {
  codeOf,
  type DroppedEntry,
  type FoundFile,
  type IntakeState,
  noIntake,
  type RefusedFile,
  walkEntries,
} from './dropped-files.ts';

/** A browser opens six connections to a host: events have one, and calls need one. */
const stagedAtOnce = 4;
/** As many as one call takes. */
const batch = 500;
/** Staged files go into the draft at least so often. */
const addedEveryMs = 250;
const drawnEveryMs = 250;
const keptRefusals = 200;
const longestPath = 4096;

/** Any other file would meet these, too. */
const halting: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'host-gone',
  'host-reply-unreadable',
  'session-missing',
  'session-refused',
  'link-used',
  'sender-refused',
]);

/** A found file on its way, in the order of the drops. */
interface Slot {
  workspaceId: string;
  path: string;
  /** null from the moment the host has it: a list of files must not hold them. */
  file: FoundFile | null;
  /** null while it is on its way, and when it was refused. */
  staged: StagedFile | null;
  isSettled: boolean;
}

/** A file that the host has, and the folders it lay in. */
export interface TakenFile extends StagedFile {
  path: string;
}

/** Takes in staged files, at most 500 a call and one call at a time. */
export type AddFiles = (workspaceId: string, files: readonly TakenFile[]) => Promise<AddedFiles>;

/** What became of one call. */
export interface AddedFiles {
  /** So many of them, from the first on. */
  added: number;
  /** Ends the taking in. */
  failure: Failure | null;
}

/** What one call adds. */
interface Batch {
  workspaceId: string;
  files: TakenFile[];
}

/**
 * Takes dropped files in, into drafts of uploads unless another target is given: a few are staged at a time, and they
 * are added in the order they came.
 */
export class Intake {
  readonly #bridge: Bridge<File>;
  readonly #add: AddFiles;
  readonly #show: () => void;
  #state: IntakeState = noIntake;
  #round: Round | null = null;

  /** `tell` is called at most four times a second. */
  constructor(bridge: Bridge<File>, report: (state: IntakeState) => void, add: AddFiles = intoDraft(bridge)) {
    this.#bridge = bridge;
    this.#add = add;
    this.#show = paced(drawnEveryMs, () => report(this.#state));
  }

  /** Joins what is under way. */
  take(workspaceId: string, dropped: readonly DroppedEntry[]): void {
    if (dropped.length === 0) return;
    this.#change({ halted: null });
    this.#round ??= new Round(this.#bridge, this.#add, {
      moved: (progress) => this.#change({ progress }),
      refused: (file) => this.#refuse(file),
      ended: (halted) => {
        this.#round = null;
        this.#change({ progress: null, halted });
      },
    });
    this.#round.take(workspaceId, dropped);
  }

  /** What is in a draft stays there. */
  stop(): void {
    this.#round?.end(null);
  }

  /** Nothing could be begun. */
  halt(failure: Failure, notTaken: number): void {
    this.#change({ halted: { failure, notTaken } });
  }

  dismissRefused(): void {
    this.#change({ refused: noIntake.refused });
  }

  dismissHalted(): void {
    this.#change({ halted: null });
  }

  #refuse(file: RefusedFile): void {
    const { files, count } = this.#state.refused;
    this.#change({ refused: { files: [file, ...files.slice(0, keptRefusals - 1)], count: count + 1 } });
  }

  #change(change: Partial<IntakeState>): void {
    this.#state = { ...this.#state, ...change };
    this.#show();
  }
}

interface RoundPort {
  moved(progress: IntakeState['progress']): void;
  refused(file: RefusedFile): void;
  ended(halted: IntakeState['halted']): void;
}

/** From a drop until everything that was dropped meanwhile is in a draft, or it was stopped. */
class Round {
  readonly #bridge: Bridge<File>;
  readonly #take: AddFiles;
  readonly #port: RoundPort;
  /** Found and not added yet. Those before `#settled` are staged or refused, those before `#begun` are being staged. */
  #slots: Slot[] = [];
  #settled = 0;
  #begun = 0;
  #staging = 0;
  #walks: Promise<void> = Promise.resolve();
  #walking = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isAdding = false;
  #isOver = false;
  #found = 0;
  #refused = 0;
  #added = 0;
  #bytes = 0;

  constructor(bridge: Bridge<File>, add: AddFiles, port: RoundPort) {
    this.#bridge = bridge;
    this.#take = add;
    this.#port = port;
  }

  take(workspaceId: string, dropped: readonly DroppedEntry[]): void {
    this.#walking += 1;
    this.#report();
    this.#walks = this.#walks.then(() => this.#walk(workspaceId, dropped));
  }

  end(failure: Failure | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#slots = [];
    this.#port.ended(failure === null ? null : { failure, notTaken: this.#found - this.#added - this.#refused });
  }

  async #walk(workspaceId: string, dropped: readonly DroppedEntry[]): Promise<void> {
    try {
      await walkEntries(dropped, {
        found: (files) => this.#find(workspaceId, files),
        refused: (file) => this.#isOver || this.#port.refused(file),
        isOver: () => this.#isOver,
      });
    } finally {
      this.#walking -= 1;
      this.#goOn();
    }
  }

  #find(workspaceId: string, files: readonly FoundFile[]): void {
    if (this.#isOver) return;
    for (const file of files)
      this.#slots.push({ workspaceId, path: shortPath(file.path), file, staged: null, isSettled: false });
    this.#found += files.length;
    this.#goOn();
  }

  /** Begins what may begin: staging, adding, or the end. */
  #goOn(): void {
    if (this.#isOver) return;
    while (this.#staging < stagedAtOnce && this.#begun < this.#slots.length) this.#begin();
    const isLast = this.#walking === 0 && this.#staging === 0;
    if (isLast || this.#settled >= batch) void this.#add();
    else this.#timer ??= setTimeout(() => void this.#add(), addedEveryMs);
    this.#report();
  }

  #begin(): void {
    const slot = this.#slots[this.#begun];
    this.#begun += 1;
    if (slot === undefined) return;
    this.#staging += 1;
    void this.#stage(slot).finally(() => {
      slot.isSettled = true;
      this.#staging -= 1;
      while (this.#slots[this.#settled]?.isSettled === true) this.#settled += 1;
      this.#goOn();
    });
  }

  async #stage(slot: Slot): Promise<void> {
    const found = slot.file;
    slot.file = null;
    if (found === null) return;
    const name = found.path === '' ? found.name : `${found.path}/${found.name}`;
    let file: File;
    try {
      file = await found.open();
    } catch (error) {
      return this.#refuse({ name, failure: { kind: 'file-unreadable', name: found.name, code: codeOf(error) } });
    }
    const reply = await this.#bridge.stageFile(file);
    if (reply.ok) slot.staged = reply.value;
    else if (halting.has(reply.failure.kind)) this.end(reply.failure);
    else this.#refuse({ name, failure: reply.failure });
  }

  #refuse(file: RefusedFile): void {
    if (this.#isOver) return;
    this.#refused += 1;
    this.#port.refused(file);
  }

  /** One call at a time. The next one is that of another workspace, where the person went there between two drops. */
  async #add(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isAdding || this.#isOver) return;
    const { workspaceId, files } = this.#takeBatch();
    if (files.length === 0) return this.#endWhenDone();
    this.#isAdding = true;
    try {
      const { added, failure } = await this.#take(workspaceId, files);
      this.#added += added;
      this.#bytes += files.slice(0, added).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      if (failure !== null) this.end(failure);
    } finally {
      this.#isAdding = false;
      this.#goOn();
    }
  }

  #endWhenDone(): void {
    if (this.#walking === 0 && this.#slots.length === 0) this.end(null);
  }

  #takeBatch(): Batch {
    const taken: Batch = { workspaceId: '', files: [] };
    let count = 0;
    for (; count < this.#settled && taken.files.length < batch; count += 1) {
      const { workspaceId, path, staged } = this.#slots[count] ?? { workspaceId: '', path: '', staged: null };
      if (staged === null) continue;
      if (taken.files.length > 0 && workspaceId !== taken.workspaceId) break;
      taken.workspaceId = workspaceId;
      taken.files.push({ ...staged, path });
    }
    this.#slots.splice(0, count);
    this.#settled -= count;
    this.#begun -= count;
    return taken;
  }

  #report(): void {
    if (!this.#isOver)
      this.#port.moved({ found: this.#found, isWalking: this.#walking > 0, added: this.#added, bytes: this.#bytes });
  }
}

/** A draft takes all of a call or none. */
const intoDraft =
  (bridge: Bridge<File>): AddFiles =>
  async (workspaceId, files) => {
    const reply = await bridge.call('uploads.add', { workspaceId, files: files.map(({ id, path }) => ({ id, path })) });
    return reply.ok ? { added: files.length, failure: null } : { added: 0, failure: reply.failure };
  };

/** Its end is more distinctive than its beginning. */
const shortPath = (path: string): string => (path.length <= longestPath ? path : `…${path.slice(1 - longestPath)}`);
