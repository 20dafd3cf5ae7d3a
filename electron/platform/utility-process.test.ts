import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { endRequest, type ProcessEnd } from '../../shared/domain/process-end.ts';
import type { HostProcess } from './platform.ts';
import { utilityHostProcess } from './utility-process.ts';

class StandInChild extends EventEmitter {
  readonly posted: unknown[] = [];
  kills = 0;
  pid: number | undefined = 42;
  stderr: PassThrough | null = null;
  onPost: (message: unknown) => void = () => {};
  postMessage(message: unknown): void {
    this.posted.push(message);
    this.onPost(message);
  }
  kill(): boolean {
    this.kills += 1;
    this.emit('exit', 15);
    return true;
  }
}

const endOf = (hostProcess: HostProcess): Promise<ProcessEnd> => new Promise((resolve) => hostProcess.onExit(resolve));

test('a utility process exchanges messages in both directions', () => {
  const child = new StandInChild();
  const heard: unknown[] = [];
  const hostProcess = utilityHostProcess(child);
  hostProcess.onMessage((message) => heard.push(message));
  hostProcess.post({ kind: 'start' });
  child.emit('message', { kind: 'listening' });
  expect([child.posted, heard]).toEqual([[{ kind: 'start' }], [{ kind: 'listening' }]]);
});

test('a utility process that ends by itself reports its code, also to a later caller', async () => {
  const child = new StandInChild();
  const hostProcess = utilityHostProcess(child);
  child.emit('exit', 3);
  expect(await endOf(hostProcess)).toMatchObject({ code: 3 });
});

test('a utility process that V8 ends for lack of memory reports it before exit, and the host continues', async () => {
  const child = new StandInChild();
  const hostProcess = utilityHostProcess(child);
  child.emit('error', 'FatalError', 'Reached heap limit', '{}');
  child.emit('exit', 5);
  expect(await endOf(hostProcess)).toMatchObject({ code: 5 });
});

test('a utility process reports its last output when it ends by itself', async () => {
  const child = new StandInChild();
  child.stderr = new PassThrough();
  const hostProcess = utilityHostProcess(child);
  child.emit('exit', 1);
  child.stderr.end('Error: no disk\n');
  expect(await endOf(hostProcess)).toEqual({ code: 1, signal: null, lastWords: 'Error: no disk\n' });
});

test('a utility process ends on request and is not killed', async () => {
  const child = new StandInChild();
  child.onPost = () => child.emit('exit', 0);
  await utilityHostProcess(child).stop();
  expect([child.posted, child.kills]).toEqual([[endRequest], 0]);
});

test('a utility process that does not end is killed and has no code', async () => {
  const child = new StandInChild();
  const hostProcess = utilityHostProcess(child, { patienceMs: 1 });
  await hostProcess.stop();
  expect([child.kills, (await endOf(hostProcess)).code]).toEqual([1, null]);
});

test('stopping an ended utility process does nothing', async () => {
  const child = new StandInChild();
  const hostProcess = utilityHostProcess(child);
  child.emit('exit', 0);
  await hostProcess.stop();
  expect([child.posted, child.kills]).toEqual([[], 0]);
});

test('a utility process killed at once gets no request to end, and its end is awaited', async () => {
  const child = new StandInChild();
  const killed: number[] = [];
  const killAtOnce = (pid: number): void => {
    killed.push(pid);
    child.emit('exit', 9);
  };
  const hostProcess = utilityHostProcess(child, { killAtOnce });
  await hostProcess.kill();
  await hostProcess.kill();
  expect([killed, child.posted, child.kills, (await endOf(hostProcess)).code]).toEqual([[42], [], 0, null]);
});

test('a utility process killed before it was spawned dies right after', async () => {
  const child = new StandInChild();
  child.pid = undefined;
  const killed: number[] = [];
  const killing = utilityHostProcess(child, { killAtOnce: (pid) => void killed.push(pid) }).kill();
  child.pid = 7;
  child.emit('spawn');
  child.emit('exit', 9);
  await killing;
  expect(killed).toEqual([7]);
});

test('a utility process that ended by itself during a kill is no error', async () => {
  const gone = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(gone, 'exit');
  const child = new StandInChild();
  child.pid = gone.pid;
  const killing = utilityHostProcess(child).kill();
  child.emit('exit', 0);
  await killing;
  expect(child.kills).toBe(0);
});
