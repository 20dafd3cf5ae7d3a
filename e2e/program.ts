import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program of ours, started as a person would, with what it printed so far. */
export interface Program {
  readonly pid: number;
  /** The first match of a pattern in what it has printed or will print. Rejects when the program ends before. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  type(text: string): void;
  output(): string;
  /** Ends it as Ctrl-C does and resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  exited: Promise<number | null>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const firstWordsWithinMs = 60_000;
const running = new Set<Program>();

/** Ends what a test that failed on its way did not come to stop. */
export async function stopPrograms(): Promise<void> {
  await Promise.all([...running].map((program) => program.stop('SIGKILL')));
}

/** `under`: what it is started by, with its options, such as a tracer. */
export function startProgram(
  entry: string,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  under: readonly string[] = [],
): Program {
  const [command = '', ...rest] = [...under, process.execPath, builtEntry(entry) ?? entry, ...args];
  return startCommand(command, rest, environment);
}

/** The same for what is no entry of ours. */
export function startCommand(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = collect(child);
  const exited = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
  const program: Program = {
    pid: child.pid ?? 0,
    printed: (pattern) => waitFor(text, pattern, exited),
    type: (typed) => void child.stdin?.write(typed),
    output: () => text.all,
    exited,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return exited;
    },
  };
  running.add(program);
  void exited.then(() => running.delete(program));
  return program;
}

/**
 * `npm run e2e` and `npm run bench` name the folder of the built host; without it, programs run from their sources.
 * Null for what is no entry of ours.
 */
export function builtEntry(entry: string): string | null {
  const built = process.env.VITRINE_BUILT_HOST;
  return built !== undefined && /^electron\/\w+\.ts$/.test(entry) ? join(built, entry.replace(/ts$/, 'js')) : null;
}

interface Text {
  all: string;
  heard: Set<() => void>;
}

function collect(child: ChildProcess): Text {
  const text: Text = { all: '', heard: new Set() };
  const add = (chunk: Buffer): void => {
    text.all += chunk.toString();
    for (const listener of text.heard) listener();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return text;
}

async function waitFor(text: Text, pattern: RegExp, exited: Promise<number | null>): Promise<RegExpMatchArray> {
  return new Promise((resolve, reject) => {
    const give = (work: () => void): void => {
      text.heard.delete(look);
      clearTimeout(timer);
      work();
    };
    const look = (): void => {
      const match = text.all.match(pattern);
      if (match) give(() => resolve(match));
    };
    const gone = (why: string) => () =>
      give(() => reject(new Error(`${why} before it printed ${pattern}:\n${text.all}`)));
    const timer = setTimeout(gone('waited too long'), firstWordsWithinMs);
    text.heard.add(look);
    void exited.then(gone('it ended'));
    look();
  });
}
