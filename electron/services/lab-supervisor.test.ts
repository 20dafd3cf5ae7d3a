import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { labStart } from '../../shared/domain/lab.ts';
import { FailureError } from '../../shared/failure.ts';
import { EventHub, type HostEvent } from '../event-hub.ts';
import type { HostProcess } from '../platform/platform.ts';
import { LabSupervisor } from './lab-supervisor.ts';

/** A process whose messages and end the test decides. */
class PlayedProcess implements HostProcess {
  readonly posted: unknown[] = [];
  stopped = false;
  #message: (message: unknown) => void = () => {};
  #exit: (code: number | null) => void = () => {};
  post = (message: unknown): void => void this.posted.push(message);
  onMessage = (listener: (message: unknown) => void): void => void (this.#message = listener);
  onExit = (listener: (code: number | null) => void): void => void (this.#exit = listener);
  stop = async (): Promise<void> => void (this.stopped = true);
  kill = this.stop;
  say = (message: unknown): void => this.#message(message);
  die = (): void => this.#exit(null);
}

function played(passwords: (string | null)[] = []) {
  const processes: PlayedProcess[] = [];
  const told: HostEvent[] = [];
  const secrets: string[] = [];
  const events = new EventHub();
  events.subscribe((event) => told.push(event));
  const startProcess = (): HostProcess => {
    const process = new PlayedProcess();
    processes.push(process);
    return process;
  };
  const supervisor = new LabSupervisor({
    platform: { startProcess }, events, dataDirectory: '/data/lab', keepOutOfLogs: (secret) => secrets.push(secret), restartDelayMs: () => 0,
    packagePassword: async () => passwords.shift() ?? null, logDefect: (error) => expect.fail(String(error)),
  });
  supervisor.start();
  const latest = (): PlayedProcess => processes.at(-1) ?? expect.fail('no process was started');
  return { supervisor, processes, told, secrets, latest };
}

const listening = (port: number) => ({ kind: 'listening', port, specimens: [] });

test('the token goes by message, is kept out of logs first, and is new at each start', async () => {
  const { latest, secrets, processes } = played();
  const first = labStart.parse(latest().posted[0]);
  latest().die();
  await vi.waitFor(() => expect(processes).toHaveLength(2));
  const second = labStart.parse(latest().posted[0]);
  expect(secrets).toEqual([first.token, second.token]);
  expect(first.token).not.toBe(second.token);
});

test('the lab is told the password of packages once it listens, and again when it is another', async () => {
  const { supervisor, latest } = played(['first', 'second']);
  latest().say(listening(4711));
  await vi.waitFor(() => expect(latest().posted.slice(1)).toEqual([{ kind: 'package-password', password: 'first' }]));
  supervisor.tellPassword();
  await vi.waitFor(() => expect(latest().posted.slice(2)).toEqual([{ kind: 'package-password', password: 'second' }]));
});

test('whoever asks for the address while it starts gets it once it listens', async () => {
  const { supervisor, latest } = played();
  const asked = supervisor.address();
  latest().say(listening(4711));
  expect((await asked).repositoryUrl).toBe('http://127.0.0.1:4711/repository');
});

test('a lab that dies is started again, said so, and answers at its new address', async () => {
  const { supervisor, latest, processes, told } = played();
  latest().say(listening(1));
  latest().die();
  const asked = supervisor.address();
  await vi.waitFor(() => expect(processes).toHaveLength(2));
  latest().say(listening(2));
  expect((await asked).repositoryUrl).toContain(':2/');
  expect(told.map((event) => event.name === 'lab.changed' && event.payload.state)).toEqual(['running', 'restarting', 'running']);
  expect(supervisor.state).toMatchObject({ state: 'running', restarts: 1 });
});

test('a lab that keeps dying is given up, and asking for it is a failure', async () => {
  const { supervisor, latest, processes } = played();
  for (let death = 1; death <= 8; death += 1) {
    latest().die();
    await vi.waitFor(() => expect(processes).toHaveLength(death + 1));
  }
  latest().die();
  expect(supervisor.state.state).toBe('stopped');
  await expect(supervisor.address()).rejects.toThrow(FailureError);
});

test('a lab that says why it cannot start is not started again, and its reason is given', async () => {
  const { supervisor, latest, processes } = played();
  const asked = supervisor.address();
  latest().say({ kind: 'failed', failure: { kind: 'data-in-use', path: '/data/lab' } });
  latest().die();
  await expect(asked).rejects.toMatchObject({ failure: { kind: 'data-in-use' } });
  expect(processes).toHaveLength(1);
});

test('a lab that could not start is tried again by whoever asks for it: the disk may have room by now', async () => {
  const { supervisor, latest, processes } = played();
  latest().say({ kind: 'failed', failure: { kind: 'disk-full', path: '/data/lab' } });
  latest().die();
  const asked = [supervisor.address(), supervisor.address()];
  expect(processes).toHaveLength(2);
  expect(supervisor.state.state).toBe('starting');
  latest().say(listening(4711));
  expect((await Promise.all(asked)).map(({ repositoryUrl }) => repositoryUrl)).toEqual(Array(2).fill('http://127.0.0.1:4711/repository'));
});

test('a message that is none of the protocol is not believed', () => {
  const { supervisor, latest } = played();
  latest().say({ kind: 'listening', port: 'many' });
  latest().say(null);
  expect(supervisor.state.state).toBe('starting');
});

describe('closing', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('ends the lab, frees whoever waits, and starts nothing again', async () => {
    const { supervisor, latest, processes, told } = played();
    const asked = supervisor.address().catch((error: unknown) => error);
    await supervisor.close();
    latest().die();
    vi.runAllTimers();
    expect(await asked).toBeInstanceOf(FailureError);
    expect(latest().stopped).toBe(true);
    expect([processes.length, told]).toEqual([1, []]);
  });

  test('leaves a lab that could not start as it is, also for who asks afterwards', async () => {
    const { supervisor, latest, processes } = played();
    latest().say({ kind: 'failed', failure: { kind: 'disk-full', path: '/data/lab' } });
    latest().die();
    await supervisor.close();
    const asked = supervisor.address();
    expect([processes.length, supervisor.state.state]).toEqual([1, 'stopped']);
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  });
});
