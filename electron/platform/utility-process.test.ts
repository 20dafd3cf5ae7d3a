import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { endRequest } from '../../shared/end-request.ts';
import { utilityHostProcess } from './utility-process.ts';

class StandInChild extends EventEmitter {
  readonly posted: unknown[] = [];
  kills = 0;
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

test('messages go both ways', () => {
  const child = new StandInChild();
  const heard: unknown[] = [];
  const hostProcess = utilityHostProcess(child);
  hostProcess.onMessage((message) => heard.push(message));
  hostProcess.post({ kind: 'start' });
  child.emit('message', { kind: 'listening' });
  expect([child.posted, heard]).toEqual([[{ kind: 'start' }], [{ kind: 'listening' }]]);
});

test('a process that ends by itself gives its code, also to one who asks later', async () => {
  const child = new StandInChild();
  const hostProcess = utilityHostProcess(child);
  child.emit('exit', 3);
  expect(await new Promise((resolve) => hostProcess.onExit(resolve))).toBe(3);
});

test('asked to end, it ends, and is not killed', async () => {
  const child = new StandInChild();
  child.onPost = () => child.emit('exit', 0);
  await utilityHostProcess(child).stop();
  expect([child.posted, child.kills]).toEqual([[endRequest], 0]);
});

test('one that does not end is killed, and has no code', async () => {
  const child = new StandInChild();
  const hostProcess = utilityHostProcess(child, 1);
  await hostProcess.stop();
  expect([child.kills, await new Promise((resolve) => hostProcess.onExit(resolve))]).toEqual([1, null]);
});

test('stopping one that is gone does nothing', async () => {
  const child = new StandInChild();
  const hostProcess = utilityHostProcess(child);
  child.emit('exit', 0);
  await hostProcess.stop();
  expect([child.posted, child.kills]).toEqual([[], 0]);
});
