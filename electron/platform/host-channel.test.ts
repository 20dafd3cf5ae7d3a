import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { endRequest } from '../../shared/domain/process-end.ts';
import { openHostChannel } from './host-channel.ts';

/** Stands in for the `process` of an Electron utility process. */
function utilityProcess() {
  const posted: unknown[] = [];
  const parentPort = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => posted.push(message) });
  return { host: Object.assign(Object.create(process) as NodeJS.Process, { parentPort }), parentPort, posted };
}

test('over Electron’s port messages arrive, and the request to end is the host’s farewell', () => {
  const { host, parentPort, posted } = utilityProcess();
  const channel = openHostChannel(host);
  const heard: unknown[] = [];
  channel?.onMessage((message) => heard.push(message));
  channel?.onGone(() => heard.push('gone'));
  channel?.post({ kind: 'listening', port: 1, specimens: [] });
  parentPort.emit('message', { data: { kind: 'start' } });
  parentPort.emit('message', { data: endRequest });
  expect([heard, posted]).toEqual([[{ kind: 'start' }, 'gone'], [{ kind: 'listening', port: 1, specimens: [] }]]);
});

test('a process that nobody gave a channel has none', () => {
  expect(
    openHostChannel(
      Object.create(process, { send: { value: undefined }, parentPort: { value: undefined } }) as NodeJS.Process,
    ),
  ).toBeNull();
});
