import { randomBytes } from 'node:crypto';
import type { LabState } from '../../shared/domain/host.ts';
import { labMessage, type LabPassword, labRights, type LabStart, type SampleFile } from '../../shared/domain/lab.ts';
import { endInWords, plainWords, type ProcessEnd, tellingLine } from '../../shared/domain/process-end.ts';
import { fail, type Failure, FailureError } from '../../shared/failure.ts';
import type { EventHub } from '../event-hub.ts';
import type { HostProcess, Platform } from '../platform/platform.ts';

export interface LabAddress {
  repositoryUrl: string;
  ruleEditorUrl: string;
  token: string;
}

export interface LabSupervisorOptions {
  platform: Pick<Platform, 'startProcess'>;
  events: EventHub;
  dataDirectory: string;
  /** Receives the token before the lab does, so that no log can hold it. */
  keepOutOfLogs(token: string): void;
  /** What the lab is to make encrypted packages with; null: nothing. */
  packagePassword(): Promise<string | null>;
  /** Receives what kept the password from the lab, and the failure of a lab that is not started again. */
  logDefect(error: unknown): void;
  /** Called for each unrequested end; `pauseMs` before the next start, null when there is none. */
  logExit(facts: { end: string; lastWords: string; restart: number; pauseMs: number | null }): void;
  /** Takes the secrets out of a text. */
  redact(text: string): string;
  /** Where the person finds the log. */
  logPath: string;
  /** Milliseconds before the n-th restart in a row; a lab that dies at once must not spin. */
  restartDelayMs?: (restart: number) => number;
  /** Milliseconds in which a lab that was started must answer; one that hangs is ended, and counts as one that died. */
  startsWithinMs?: number;
}

/** About eight seconds of pauses: a caller that waits for an address gets the failure. */
export const restartsInARow = 5;
/** Each of them takes `startsWithinMs`, and what hangs twice hangs again. */
const silentStartsInARow = 2;
const waitForLabMs = 20_000;
const steadyAfterMs = 60_000;
/** A first start makes its sample files: a second or two, and more on a disk that is busy. */
const defaultStartsWithinMs = 120_000;
export const defaultDelayMs = (restart: number): number => Math.min(250 * 2 ** (restart - 1), 10_000);

type Waiter = (address: LabAddress | null) => void;

/**
 * Keeps the lab running: starts it as a separate process, gives it a token minted for this start, restarts it when it
 * dies and reports that. The token lives in memory here and nowhere else.
 */
export class LabSupervisor {
  readonly #options: LabSupervisorOptions;
  readonly #waiters = new Set<Waiter>();
  #state: LabState = { state: 'starting', restarts: 0, failure: null };
  #process: HostProcess | null = null;
  #address: LabAddress | null = null;
  #sampleFiles: SampleFile[] = [];
  #inARow = 0;
  #timer: NodeJS.Timeout | undefined;
  /** It was ended because it did not answer. */
  #isSilent = false;
  #silentInARow = 0;
  #closing = false;
  #hasBegun = false;

  constructor(options: LabSupervisorOptions) {
    this.#options = options;
  }

  get state(): LabState {
    return this.#state;
  }

  get sampleFiles(): SampleFile[] {
    return this.#sampleFiles;
  }

  /** Does nothing when it was started before, or is closed. */
  start(): void {
    if (this.#hasBegun || this.#closing) return;
    this.#hasBegun = true;
    this.#launch();
  }

  #launch(): void {
    const token = randomBytes(32).toString('hex');
    this.#options.keepOutOfLogs(token);
    const lab = this.#options.platform.startProcess('lab');
    this.#process = lab;
    lab.onMessage((message) => this.#heard(lab, token, message));
    lab.onExit((end) => this.#exited(lab, end));
    this.#isSilent = false;
    this.#timer = setTimeout(() => this.#endSilent(lab), this.#options.startsWithinMs ?? defaultStartsWithinMs).unref();
    const start: LabStart = {
      kind: 'start',
      dataDirectory: this.#options.dataDirectory,
      port: 0,
      token,
      rights: [...labRights],
    };
    lab.post(start);
  }

  /**
   * The address of the running lab, which is started if needed; waits while it starts, at most twenty seconds, then
   * fails with `lab-down`. One that reported why it could not start is tried again: the disk may have space by now. One
   * that ended again and again is not: `startAgain` does that, for a person. Once closed, it fails at once and starts
   * nothing.
   */
  async address(): Promise<LabAddress> {
    if (this.#closing) return fail(this.#state.failure ?? this.#down());
    this.start();
    if (this.#address) return this.#address;
    if (this.#state.state === 'stopped') {
      if (this.#state.failure?.kind === 'lab-failed') return fail(this.#state.failure ?? this.#down());
      this.#begin();
    }
    return (await this.#nextAddress()) ?? fail(this.#state.failure ?? this.#down());
  }

  /**
   * Starts a lab that stopped, whatever stopped it, with all its attempts. Resolves when it runs; fails as `address`
   * does.
   */
  async startAgain(): Promise<void> {
    if (this.#state.state === 'stopped' && !this.#closing) {
      this.#inARow = 0;
      this.#silentInARow = 0;
      this.#begin();
    }
    await this.address();
  }

  #begin(): void {
    this.#enter({ state: 'starting', restarts: this.#state.restarts, failure: null });
    this.#launch();
  }

  /** Hands the running lab the password as it is now. It keeps it in memory alone. */
  sharePassword(): void {
    const lab = this.#process;
    if (lab === null) return;
    const { packagePassword, logDefect } = this.#options;
    packagePassword().then(
      (password) => lab === this.#process && lab.post({ kind: 'package-password', password } satisfies LabPassword),
      logDefect,
    );
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#timer);
    this.#settle(null);
    await this.#process?.stop();
  }

  #nextAddress(): Promise<LabAddress | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter(null), waitForLabMs);
      const waiter: Waiter = (address) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(address);
      };
      this.#waiters.add(waiter);
    });
  }

  #endSilent(lab: HostProcess): void {
    this.#isSilent = true;
    lab.kill().catch((error: unknown) => this.#options.logDefect(error));
  }

  #heard(lab: HostProcess, token: string, message: unknown): void {
    const read = labMessage.safeParse(message);
    if (!read.success || this.#closing || lab !== this.#process) return;
    clearTimeout(this.#timer);
    if (read.data.kind === 'failed') return this.#stopped(read.data.failure);
    const origin = `http://127.0.0.1:${read.data.port}`;
    this.#sampleFiles = read.data.sampleFiles;
    this.#address = { repositoryUrl: `${origin}/repository`, ruleEditorUrl: `${origin}/rules`, token };
    this.#timer = setTimeout(() => (this.#inARow = 0), steadyAfterMs).unref();
    this.#enter({ state: 'running', restarts: this.#state.restarts, failure: null });
    this.#settle(this.#address);
    this.sharePassword();
  }

  #exited(lab: HostProcess, end: ProcessEnd): void {
    if (this.#closing || lab !== this.#process) return;
    clearTimeout(this.#timer);
    this.#process = null;
    this.#address = null;
    if (this.#state.state === 'stopped') return;
    this.#inARow += 1;
    const {
      logExit,
      logPath,
      redact,
      restartDelayMs = defaultDelayMs,
      startsWithinMs = defaultStartsWithinMs,
    } = this.#options;
    const lastWords = plainWords(redact(end.lastWords));
    this.#silentInARow = this.#isSilent ? this.#silentInARow + 1 : 0;
    const isGivenUp = this.#inARow > restartsInARow || this.#silentInARow >= silentStartsInARow;
    const pauseMs = isGivenUp ? null : restartDelayMs(this.#inARow);
    const how = {
      end: this.#isSilent ? `no response within ${startsWithinMs / 1000} seconds` : endInWords(end),
      lastWords,
    };
    logExit({ ...how, restart: this.#inARow, pauseMs });
    if (pauseMs === null) {
      return this.#giveUp({
        kind: 'lab-failed',
        attempts: this.#inARow,
        ...how,
        text: tellingLine(lastWords),
        log: logPath,
      });
    }
    this.#enter({ state: 'restarting', restarts: this.#state.restarts + 1, failure: null });
    this.#timer = setTimeout(() => this.#launch(), pauseMs);
  }

  #giveUp(failure: Failure): void {
    this.#options.logDefect(new FailureError(failure));
    this.#stopped(failure);
  }

  #stopped(failure: Failure): void {
    this.#address = null;
    this.#enter({ state: 'stopped', restarts: this.#state.restarts, failure });
    this.#settle(null);
  }

  #settle(address: LabAddress | null): void {
    for (const waiter of this.#waiters) waiter(address);
  }

  #enter(state: LabState): void {
    this.#state = state;
    this.#options.events.emit({ name: 'lab.changed', payload: state });
  }

  #down(): Failure {
    return { kind: 'lab-down', restarts: this.#state.restarts };
  }
}
