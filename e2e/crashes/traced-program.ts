import { execFile } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Program, startProgram } from '../program.ts';
import { CallReader, callsToRead, type DurableCall, type DurableVerb, nameOf, systemCalls } from './durable-call.ts';

/**
 * The end of one of the calls that a program makes of the system: the n-th of those with this name since `begin`, from
 * 1.
 */
export interface Point {
  verb: DurableVerb;
  name: string;
  nth: number;
}

export interface TracedOptions {
  entry: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** Calls on what is in it are reported; strace's log also goes through it. */
  folder: string;
  /** Where the program is killed; null: nowhere. */
  point: Point | null;
  /** Calls are reported and counted from the start on, and not from `begin`. */
  isFromStart: boolean;
}

/** A program of ours under strace, which reports what it does to the disk. */
export interface TracedProgram {
  program: Program;
  /** What it did since `begin`, in the order in which the calls ended. */
  calls: readonly DurableCall[];
  /** Resolves when the disk was left alone for a moment. */
  still(): Promise<void>;
  /** From now on calls are reported and counted. Resolves when the program is still. */
  begin(): Promise<void>;
  /** Wherever it is. */
  kill(): Promise<void>;
  /** Resolves when the program and strace have ended: whether it was killed at its point. */
  ended: Promise<boolean>;
}

const stillForMs = 300;

/**
 * strace counts calls by thread, and a program of ours has a dozen: so every call that could be the one is followed by
 * a SIGSTOP, which strace sends while the call is made. The program stops behind it, and continues or is killed;
 * between two calls there is no race.
 */
export async function startTraced({
  entry,
  args,
  environment,
  folder,
  point,
  isFromStart,
}: TracedOptions): Promise<TracedProgram> {
  const log = `${folder}/strace.log`;
  await promisify(execFile)('mkfifo', [log]);
  const stopping = point === null ? [] : ['-e', `inject=${systemCalls(point.verb)}:signal=SIGSTOP`];
  const strace = [
    'strace',
    '-f',
    '-y',
    '-b',
    'execve',
    '-s',
    '0',
    '-o',
    log,
    '-e',
    `trace=${callsToRead}`,
    ...stopping,
  ];
  const program = startProgram(entry, [...args], environment, strace);
  const watched = new WatchedCalls(folder, point, isFromStart);
  running.add(watched);
  const read = watched.follow(log);
  const ended = Promise.all([read, program.exited]).then(() => {
    running.delete(watched);
    return watched.isKilled;
  });
  return {
    program,
    calls: watched.calls,
    ended,
    still: () => watched.still(),
    begin: async () => {
      await watched.still();
      watched.begin();
    },
    kill: async () => {
      watched.kill();
      await ended;
    },
  };
}

const running = new Set<WatchedCalls>();

/** Ends whatever still runs: a program outlives the strace that started it. */
export function killTraced(): void {
  for (const watched of running) watched.kill();
}

class WatchedCalls {
  readonly calls: DurableCall[] = [];
  isKilled = false;
  readonly #folder: string;
  readonly #point: Point | null;
  readonly #reader = new CallReader();
  /** Threads behind a call, whose stop is on its way. */
  readonly #stopping = new Set<string>();
  #process = 0;
  #hasBegun: boolean;
  #hasEnded = false;
  #reached = 0;
  #lastAt = performance.now();

  constructor(folder: string, point: Point | null, hasBegun: boolean) {
    this.#folder = folder;
    this.#point = point;
    this.#hasBegun = hasBegun;
  }

  async still(): Promise<void> {
    while (performance.now() - this.#lastAt < stillForMs) await pause(stillForMs / 3);
  }

  begin(): void {
    this.#hasBegun = true;
  }

  kill(): void {
    if (this.#process === 0 || this.#hasEnded) return;
    process.kill(this.#process, 'SIGKILL');
  }

  async follow(log: string): Promise<void> {
    for await (const line of createInterface({ input: createReadStream(log) })) {
      if (this.#process === 0) this.#process = processOf(threadOf(line));
      this.#read(line);
    }
    this.#hasEnded = true;
  }

  #read(line: string): void {
    const thread = threadOf(line);
    if (line.includes(' --- SIGSTOP {')) this.#stopping.add(thread);
    else if (line.endsWith(' --- stopped by SIGSTOP ---')) this.#goOn(thread);
    else this.#count(line);
  }

  #count(line: string): void {
    const made = this.#reader.read(line);
    if (made === null || !isToReport(made.call, this.#folder)) return;
    this.#lastAt = performance.now();
    if (!this.#hasBegun) return;
    this.calls.push(made.call);
    if (this.#point !== null && nameOf(made.call, this.#folder) === this.#point.name) this.#reached += 1;
  }

  #goOn(thread: string): void {
    if (!this.#stopping.delete(thread) || this.isKilled) return;
    this.isKilled = this.#point !== null && this.#reached >= this.#point.nth;
    if (this.isKilled) this.kill();
    // The stopped process may be one that the program just forked and that is no other program yet.
    else process.kill(processOf(thread), 'SIGCONT');
  }
}

/**
 * What is remade at every start, or may be lost, is not durable: logs, the socket and its key, the locks, shared memory
 * and passing files of databases.
 */
const passing =
  /\/(?:logs|logs\/[^/]*|desk\.(?:sock|key)|strace\.log|etilqs_[^/]*|[^/]*-shm|[^/]*lock(?:\.db)?(?:-journal)?)$/;

const isDurable = (path: string, folder: string): boolean =>
  path === folder || (path.startsWith(`${folder}/`) && !passing.test(path));

const isToReport = ({ verb, path }: DurableCall, folder: string): boolean => verb === 'ask' || isDurable(path, folder);

const threadOf = (line: string): string => line.split(' ', 1)[0] ?? '';

const processOf = (thread: string): number =>
  Number(/^Tgid:\s+(\d+)$/m.exec(readFileSync(`/proc/${thread}/status`, 'utf8'))?.[1]);
