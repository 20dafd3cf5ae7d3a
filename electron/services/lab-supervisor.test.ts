import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { labStart } from '../../shared/domain/lab.ts';
import type { ProcessEnd } from '../../shared/domain/process-end.ts';
import { FailureError } from '../../shared/failure.ts';
import { EventHub, type HostEvent } from '../event-hub.ts';
import type { HostProcess } from '../platform/platform.ts';
import { defaultDelayMs, LabSupervisor, type LabSupervisorOptions, restartsInARow } from './lab-supervisor.ts';

/** A process whose messages and end the test decides. */
class PlayedProcess implements HostProcess {
  readonly posted: unknown[] = [];
  stopped = false;
  #message: (message: unknown) => void = () => {};
  #exit: (end: ProcessEnd) => void = () => {};
  post = (message: unknown): void => void this.posted.push(message);
  onMessage = (listener: (message: unknown) => void): void => void (this.#message = listener);
  onExit = (listener: (end: ProcessEnd) => void): void => void (this.#exit = listener);
  stop = async (): Promise<void> => void (this.stopped = true);
  kill = this.stop;
  print = (message: unknown): void => this.#message(message);
  die = (lastWords = ''): void => this.#exit({ code: 1, signal: null, lastWords });
}

interface Playing extends Pick<LabSupervisorOptions, 'restartDelayMs' | 'startsWithinMs'> {
  passwords?: (string | null)[];
  isStarted?: boolean;
}

function played({ passwords = [], restartDelayMs = () => 0, startsWithinMs = 60_000, isStarted = true }: Playing = {}) {
  const processes: PlayedProcess[] = [];
  const reported: HostEvent[] = [];
  const secrets: string[] = [];
  const defects: unknown[] = [];
  const exits: unknown[] = [];
  const events = new EventHub();
  events.subscribe((event) => reported.push(event));
  const startProcess = (): HostProcess => {
    const process = new PlayedProcess();
    processes.push(process);
    return process;
  };
  const supervisor = new LabSupervisor({
    platform: { startProcess },
    events,
    dataDirectory: '/data/lab',
    keepOutOfLogs: (secret) => secrets.push(secret),
    restartDelayMs,
    startsWithinMs,
    packagePassword: async () => passwords.shift() ?? null,
    logDefect: (error) => defects.push(error),
    logExit: (facts) => exits.push(facts),
    redact: (text) => text.replaceAll('a-secret', '[removed]'),
    logPath: '/data/logs/vitrine.log',
  });
  if (isStarted) supervisor.start();
  const latest = (): PlayedProcess => processes.at(-1) ?? expect.fail('no process was started');
  return { supervisor, processes, reported, secrets, defects, exits, latest };
}

type Played = ReturnType<typeof played>;

const listening = (port: number) => ({ kind: 'listening', port, sampleFiles: [] });

test('the token is sent by message, registered as a log secret first, and new at each start', async () => {
  const { latest, secrets, processes } = played();
  const first = labStart.parse(latest().posted[0]);
  latest().die();
  await vi.waitFor(() => expect(processes).toHaveLength(2));
  const second = labStart.parse(latest().posted[0]);
  expect(secrets).toEqual([first.token, second.token]);
  expect(first.token).not.toBe(second.token);
});

test('the lab gets the password of packages once it listens, and again after a change', async () => {
  const { supervisor, latest } = played({ passwords: ['first', 'second'] });
  latest().print(listening(4711));
  await vi.waitFor(() => expect(latest().posted.slice(1)).toEqual([{ kind: 'package-password', password: 'first' }]));
  supervisor.sharePassword();
  await vi.waitFor(() => expect(latest().posted.slice(2)).toEqual([{ kind: 'package-password', password: 'second' }]));
});

test('a caller that requests the address during the start gets it once the lab listens', async () => {
  const { supervisor, latest } = played();
  const asked = supervisor.address();
  latest().print(listening(4711));
  expect((await asked).repositoryUrl).toBe('http://127.0.0.1:4711/repository');
});

test('the lab is ended and started again when it does not answer within its time', async () => {
  const { latest, processes, exits } = played({ startsWithinMs: 5 });
  const silent = latest();
  await vi.waitFor(() => expect(silent.stopped).toBe(true));
  silent.die();
  await vi.waitFor(() => expect(processes).toHaveLength(2));
  expect(exits).toEqual([expect.objectContaining({ end: 'no response within 0.005 seconds', restart: 1 })]);
});

describe('a lab that hangs at its start', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Lets the lab hang until it is ended for that, and the pause pass. */
  async function hang({ latest }: Played): Promise<void> {
    const silent = latest();
    await vi.advanceTimersByTimeAsync(1000);
    expect(silent.stopped).toBe(true);
    silent.die();
    await vi.advanceTimersByTimeAsync(0);
  }

  test('fails after two starts in a row without an answer, and can be started again by a person', async () => {
    const lab = played({ startsWithinMs: 1000 });
    await hang(lab);
    expect(lab.processes).toHaveLength(2);
    await hang(lab);
    expect(lab.processes).toHaveLength(2);
    expect(lab.supervisor.state).toMatchObject({
      state: 'stopped',
      failure: { kind: 'lab-failed', attempts: 2, end: 'no response within 1 seconds' },
    });
    const again = lab.supervisor.startAgain();
    await hang(lab);
    expect(lab.processes).toHaveLength(4);
    lab.latest().print(listening(4711));
    await again;
    expect(lab.supervisor.state.state).toBe('running');
  });

  test('is started again when it ended by itself, or ran, between two starts without an answer', async () => {
    const lab = played({ startsWithinMs: 1000 });
    await hang(lab);
    lab.latest().die();
    await vi.advanceTimersByTimeAsync(0);
    await hang(lab);
    expect(lab.processes).toHaveLength(4);
    lab.latest().print(listening(4711));
    lab.latest().die();
    await vi.advanceTimersByTimeAsync(0);
    await hang(lab);
    expect(lab.processes).toHaveLength(6);
  });
});

test('the lab is left alone when it answers within its time', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { latest } = played({ startsWithinMs: 1000 });
  latest().print(listening(4711));
  await vi.advanceTimersByTimeAsync(5000);
  expect(latest().stopped).toBe(false);
});

test('a dead lab is restarted with a notice, and answers at its new address', async () => {
  const { supervisor, latest, processes, reported } = played();
  latest().print(listening(1));
  latest().die();
  const asked = supervisor.address();
  await vi.waitFor(() => expect(processes).toHaveLength(2));
  latest().print(listening(2));
  expect((await asked).repositoryUrl).toContain(':2/');
  expect(reported.map((event) => event.name === 'lab.changed' && event.payload.state)).toEqual([
    'running',
    'restarting',
    'running',
  ]);
  expect(supervisor.state).toMatchObject({ state: 'running', restarts: 1 });
});

/** Ends each lab that is started, until no other is. */
async function dieAlways({ latest, processes }: Played, words?: string): Promise<void> {
  const first = processes.length;
  for (let restart = 0; restart < restartsInARow; restart += 1) {
    latest().die(words);
    await vi.waitFor(() => expect(processes).toHaveLength(first + restart + 1));
  }
  latest().die(words);
}

const failed = {
  kind: 'lab-failed',
  attempts: 6,
  end: 'exit code 1',
  text: 'Error: no disk [removed]',
  log: '/data/logs/vitrine.log',
  lastWords: 'lab.js:1\n  throw\n\nError: no disk [removed]\n    at lab.js:1:1\n\nNode.js v24.21.0',
};

test('the lab fails, with its last output, after it ended again after each of five restarts', async () => {
  const lab = played();
  await dieAlways(
    lab,
    'lab.js:1\n  throw\n\n\u001b[31mError: no disk a-secret\u001b[0m\n    at lab.js:1:1\n\nNode.js v24.21.0\n',
  );
  expect(lab.supervisor.state).toEqual({ state: 'stopped', restarts: 5, failure: failed });
  expect(lab.reported.at(-1)).toEqual({ name: 'lab.changed', payload: lab.supervisor.state });
  await expect(lab.supervisor.address()).rejects.toMatchObject({ failure: failed });
  expect(lab.processes).toHaveLength(6);
});

test('each end of the lab is logged with its last output and pause, the last as a defect', async () => {
  const lab = played();
  await dieAlways(lab, 'no disk\n');
  const exit = { end: 'exit code 1', lastWords: 'no disk' };
  expect(lab.exits).toEqual(
    [1, 2, 3, 4, 5, 6].map((restart) => ({ ...exit, restart, pauseMs: restart === 6 ? null : 0 })),
  );
  expect(lab.defects).toMatchObject([{ failure: { kind: 'lab-failed', text: 'no disk' } }]);
});

test('the lab starts again, with all its attempts, when a person starts it', async () => {
  const lab = played();
  await dieAlways(lab);
  const started = lab.supervisor.startAgain();
  expect(lab.supervisor.state).toEqual({ state: 'starting', restarts: 5, failure: null });
  await dieAlways(lab, 'still no disk');
  await expect(started).rejects.toMatchObject({ failure: { kind: 'lab-failed', text: 'still no disk' } });
  const another = lab.supervisor.startAgain();
  lab.latest().print(listening(4711));
  await another;
  expect(lab.supervisor.state).toMatchObject({ state: 'running', failure: null });
  expect(lab.processes).toHaveLength(13);
});

test('starting a running lab starts no other', async () => {
  const { supervisor, latest, processes } = played();
  latest().print(listening(4711));
  await supervisor.startAgain();
  expect(processes).toHaveLength(1);
});

test('a lab that reports why it cannot start can still be started by a person', async () => {
  const { supervisor, latest } = played();
  latest().print({ kind: 'failed', failure: { kind: 'disk-full', path: '/data/lab' } });
  latest().die();
  const started = supervisor.startAgain();
  latest().print(listening(4711));
  await started;
  expect(supervisor.state.state).toBe('running');
});

test('the pauses between restarts grow', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lab = played({ restartDelayMs: defaultDelayMs });
  for (const pauseMs of [250, 500, 1000, 2000, 4000]) {
    const before = lab.processes.length;
    lab.latest().die();
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect(lab.processes).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(lab.processes).toHaveLength(before + 1);
  }
});

test('a lab that reports why it cannot start is not restarted, and its reason is shown', async () => {
  const { supervisor, latest, processes } = played();
  const asked = supervisor.address();
  latest().print({ kind: 'failed', failure: { kind: 'data-in-use', path: '/data/lab' } });
  latest().die();
  await expect(asked).rejects.toMatchObject({ failure: { kind: 'data-in-use' } });
  expect(processes).toHaveLength(1);
});

test('a lab that failed to start is retried at the next request: the disk may have space by now', async () => {
  const { supervisor, latest, processes } = played();
  latest().print({ kind: 'failed', failure: { kind: 'disk-full', path: '/data/lab' } });
  latest().die();
  const asked = [supervisor.address(), supervisor.address()];
  expect(processes).toHaveLength(2);
  expect(supervisor.state.state).toBe('starting');
  latest().print(listening(4711));
  expect((await Promise.all(asked)).map(({ repositoryUrl }) => repositoryUrl)).toEqual(
    Array(2).fill('http://127.0.0.1:4711/repository'),
  );
});

test('a message outside the protocol is not trusted', () => {
  const { supervisor, latest } = played();
  latest().print({ kind: 'listening', port: 'many' });
  latest().print(null);
  expect(supervisor.state.state).toBe('starting');
});

describe('closing', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('ends the lab, releases waiting callers, and starts nothing again', async () => {
    const { supervisor, latest, processes, reported } = played();
    const asked = supervisor.address().catch((error: unknown) => error);
    await supervisor.close();
    latest().die();
    vi.runAllTimers();
    expect(await asked).toBeInstanceOf(FailureError);
    expect(latest().stopped).toBe(true);
    expect([processes.length, reported]).toEqual([1, []]);
  });

  test('keeps a lab that was never started from starting', async () => {
    const { supervisor, processes } = played({ isStarted: false });
    await supervisor.close();
    await expect(supervisor.address()).rejects.toMatchObject({ failure: { kind: 'lab-down' } });
    await expect(supervisor.startAgain()).rejects.toMatchObject({ failure: { kind: 'lab-down' } });
    supervisor.start();
    expect(processes).toEqual([]);
  });

  test('returns no address of a lab that ended with it', async () => {
    const { supervisor, latest } = played();
    latest().print(listening(4711));
    await supervisor.close();
    await expect(supervisor.address()).rejects.toMatchObject({ failure: { kind: 'lab-down' } });
  });

  test('leaves a lab that could not start unchanged, also for later callers', async () => {
    const { supervisor, latest, processes } = played();
    latest().print({ kind: 'failed', failure: { kind: 'disk-full', path: '/data/lab' } });
    latest().die();
    await supervisor.close();
    const asked = supervisor.address();
    expect([processes.length, supervisor.state.state]).toEqual([1, 'stopped']);
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  });
});
