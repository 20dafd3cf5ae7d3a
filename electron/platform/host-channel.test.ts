import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { endRequest } from '../../shared/domain/process-end.ts';
import { openHostChannel } from './host-channel.ts';

/** Replaces the `process` of an Electron utility process. */
function utilityProcess() {
  const posted: unknown[] = [];
  const parentPort = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => posted.push(message) });
  return { host: Object.assign(Object.create(process) as NodeJS.Process, { parentPort }), parentPort, posted };
}

test('the host channel over Electron’s port delivers messages, and the host’s request to end', () => {
  const { host, parentPort, posted } = utilityProcess();
  const channel = openHostChannel(host);
  const heard: unknown[] = [];
  channel?.onMessage((message) => heard.push(message));
  channel?.onGone(() => heard.push('gone'));
  channel?.post({ kind: 'listening', port: 1, sampleFiles: [] });
  parentPort.emit('message', { data: { kind: 'start' } });
  parentPort.emit('message', { data: endRequest });
  expect([heard, posted]).toEqual([[{ kind: 'start' }, 'gone'], [{ kind: 'listening', port: 1, sampleFiles: [] }]]);
});

test('a process without a given channel has none', () => {
  expect(
    openHostChannel(
      Object.create(process, { send: { value: undefined }, parentPort: { value: undefined } }) as NodeJS.Process,
    ),
  ).toBeNull();
});
