import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { Job, JobTask } from '../../shared/domain/job.ts';
import type { LibraryRow, LibrarySample } from '../../shared/domain/library.ts';
import type { EventName, EventPayload } from '../../shared/events.ts';
import { failed, FailureError, type Result, success } from '../../shared/failure.ts';
import type { HostClient } from './client.ts';
import { runCommandLine } from './command-line.ts';
import type { ExitCode } from './exit.ts';
import { takeSecrets } from './given-secrets.ts';
import type { Diagnosing } from './offline.ts';
import { ValueWriter } from './process-terminal.ts';
import type { OutputFormat, Terminal } from './terminal.ts';

export type Answers = {
  [N in OperationName]?: (input: OperationInput<N>) => OperationOutput<N> | Promise<OperationOutput<N>>;
};

export interface MemoryRun {
  code: ExitCode;
  lines: string[];
  json: unknown[];
  bytes: string;
  /** Sentences and failures on standard error. */
  said: string[];
  asked: { name: string; input: unknown }[];
  /** How often the client was closed. */
  closed: number;
  /** What an operation was asked with, each time. */
  inputsOf(name: OperationName): unknown[];
}

export interface MemoryHost {
  answers: Answers;
  /** Text of standard input; null: it is a terminal. */
  input?: string | null;
  /** A person's answer to a question; null: no one is there. */
  answer?: boolean | null;
  /** Whether the output goes to a terminal. */
  isPerson?: boolean;
  /** How wide the terminal is. */
  columns?: number | null;
  exports?: Record<string, string>;
  interrupt?: AbortController;
  kind?: HostClient['kind'];
  stages?: HostClient['stageFile'];
  namesFolder?: HostClient['nameFolder'];
  takes?: HostClient['take'];
  /** Resolves when the host is open. */
  opening?: () => Promise<void>;
  restores?: Parameters<typeof runCommandLine>[1]['restore'];
  verifies?: Parameters<typeof runCommandLine>[1]['verifyBackup'];
  /** Whether a Vitrine is open that answers. */
  isRunning?: boolean;
  collects?: Diagnosing['collect'];
}

export interface Events {
  emit<N extends EventName>(name: N, payload: EventPayload<N>): void;
}

/** Runs a command over a host that answers from a table. `host` is given the way to send events. */
export async function runInMemory(args: readonly string[], host: (events: Events) => MemoryHost): Promise<MemoryRun> {
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const {
    answers,
    input = null,
    answer = null,
    isPerson = false,
    columns = null,
    exports = {},
    interrupt = new AbortController(),
    kind = 'own',
    stages = anyFile,
    namesFolder = async (path) => `folder:${path}`,
    takes,
    opening = async () => {},
    restores = noRestore,
    verifies = noRestore,
    isRunning = false,
    collects = noRestore,
  } = host({
    emit: (name, payload) => {
      for (const listener of listeners.get(name) ?? []) Reflect.apply(listener, null, [payload]);
    },
  });
  const seen: Omit<MemoryRun, 'code'> = {
    lines: [],
    json: [],
    bytes: '',
    said: [],
    asked: [],
    closed: 0,
    inputsOf: (name) => seen.asked.filter((one) => one.name === name).map((one) => one.input),
  };
  const client: HostClient = {
    kind,
    call: async <N extends OperationName>(name: N, asked: OperationInput<N>): Promise<Result<OperationOutput<N>>> => {
      seen.asked.push({ name, input: asked });
      const give: Answers[N] = answers[name] ?? usual[name];
      if (!give) throw new Error(`no answer for ${name}`);
      try {
        return success(await give(asked));
      } catch (error) {
        if (error instanceof FailureError) return failed(error.failure);
        throw error;
      }
    },
    subscribe: async (name, listener) => {
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(listener));
      return () => ofName.delete(listener);
    },
    stageFile: stages,
    nameFolder: namesFolder,
    take:
      takes ??
      async function* take(id) {
        yield Buffer.from(exports[id] ?? '');
      },
    close: async () => {
      seen.closed += 1;
    },
  };
  const terminal = (format: OutputFormat | null): Terminal => {
    const layout = format === 'jsonl' ? 'json' : (format ?? (isPerson ? 'table' : 'plain'));
    const csv = new ValueWriter('csv', async (text) => void (seen.bytes += text));
    return {
      layout,
      isJson: layout === 'json',
      isData: layout === 'json' || layout === 'csv',
      columns,
      line: async (text) => void seen.lines.push(text),
      json: async (value) => void seen.json.push(JSON.parse(JSON.stringify(value))),
      value: async (value) =>
        layout === 'csv' ? csv.alone(value) : void seen.json.push(JSON.parse(JSON.stringify(value))),
      end: async () => {},
      bytes: async (bytes) => void (seen.bytes += Buffer.from(bytes).toString()),
      print: (text) => void seen.said.push(text),
      complain: (text) => void seen.said.push(text),
      progress: () => {},
      ask: async () => answer,
      input: () => (input === null ? null : once(input)),
    };
  };
  const code = await runCommandLine(args, {
    version: '0.0.0',
    secrets: takeSecrets(process.env),
    signal: interrupt.signal,
    terminal: ({ format }) => terminal(format),
    restore: restores,
    verifyBackup: verifies,
    diagnosing: () => ({ openRunning: async () => (isRunning ? client : null), collect: collects }),
    openClient: async () => {
      await opening();
      return { client, lend: null, lost: new Promise(() => {}) };
    },
  });
  return { ...seen, code };
}

const noRestore = async (): Promise<never> => {
  throw new Error('nothing is restored here');
};

const anyFile: HostClient['stageFile'] = async (path) =>
  success({ id: stagedId(path), name: path.split('/').at(-1) ?? '', sizeBytes: 1 });

/** Staged ids of tests say what was staged. */
const stagedId = (path: string): string => `staged:${path.split('/').at(-1) ?? ''}`;

async function* once(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

export const usualWorkspaces: OperationOutput<'workspaces.list'> = {
  workspaces: [
    {
      id: 'team',
      name: 'Team',
      builtIn: false,
      repository: { baseUrl: 'https://repo.example/path', hasToken: true },
      ruleEditor: { baseUrl: 'https://rules.example', hasToken: true },
      allowHttp: false,
      trust: { kind: 'system' },
      timeouts: { connectSeconds: 1, firstByteSeconds: 1, idleSeconds: 1 },
      options: {
        tokenInForm: false,
        commentForm: 'auto',
        decodesComments: false,
        optionalActions: true,
        receivers: { virusTotal: 'VirusTotal', sandbox: 'Sandbox' },
      },
      proxy: { kind: 'automatic' },
      front: { basic: null, clientCertificate: null },
    },
  ],
  current: 'team',
  damaged: [],
};

const usual: Answers = {
  'workspaces.list': () => usualWorkspaces,
  'jobs.list': () => ({ jobs: [] }),
};

/** A job that is over, unless it is said otherwise. */
export const jobOf = (task: JobTask, facts: Partial<Job> = {}): Job => ({
  id: 7,
  task,
  workspaceId: 'team',
  state: 'done',
  created: '',
  started: null,
  ended: null,
  resumesAt: null,
  counts: {
    mismatch: 0,
    forbidden: 0,
    failed: 0,
    refused: 0,
    vanished: 0,
    unknown: 0,
    'needs-md5': 0,
    cancelled: 0,
    waiting: 0,
    done: 1,
    'already-here': 0,
  },
  items: 1,
  bytes: 0,
  expectedBytes: null,
  bytesPerSecond: 0,
  secondsLeft: null,
  throughput: { secondsEach: 1, values: [] },
  active: [],
  failure: null,
  notices: [],
  noticeCount: 0,
  ...facts,
});

/** A sample of the library, in the vault. */
export const librarySampleOf = (facts: Partial<LibraryRow> = {}): LibrarySample => ({
  row: {
    hash: 'b'.repeat(64),
    md5: 'a'.repeat(32),
    sha1: null,
    sha256: 'b'.repeat(64),
    name: 'held.bin',
    sizeBytes: 1,
    type: null,
    tags: [],
    serviceTags: [],
    tlp: null,
    isRecorded: true,
    threat: null,
    severity: null,
    hits: 0,
    comments: 0,
    hasNote: false,
    vault: 'held',
    firstSeen: '',
    lastSeen: '',
    ...facts,
  },
  note: null,
  tlps: [],
  names: [],
  records: [],
  sameMd5: [],
});
