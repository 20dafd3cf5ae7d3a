import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ActionCall } from './action.ts';
import type { StoredPublication } from './stores/metadata-store.ts';
import { file, formHeaders, multipart } from './multipart-body.fixture.ts';
import { scanFile, scannerHere } from './scan-file.ts';
import { serveLab } from './server.ts';

const publication: StoredPublication = {
  id: 'p',
  version: '1',
  group: 'Release',
  published: '2026-01-01T00:00:00.000Z',
  files: 1,
  rules: 1,
  sha256: '0'.repeat(64),
  sizeBytes: 1,
  place: 'a',
};
const body = multipart(file('a.exe', 'MZ'));

/** What became of one call. */
interface Answered {
  call: ActionCall;
  done: Promise<void>;
}

/**
 * A lab in this process whose rules compile when the test decides, and what it was asked for. `arrived` is called when
 * a form has arrived completely.
 */
async function lab(arrived: (call: ActionCall) => Promise<void> = async () => undefined) {
  const reported: string[] = [];
  const [compiling, compiled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = Promise.withResolvers<Answered>();
  const open: Parameters<typeof scannerHere>[0] = async () => {
    reported.push('compile');
    compiling.resolve();
    await compiled.promise;
    return {
      scan: async ({ name }) => (reported.push(`scan ${name}`), { found: [], facts: [], leftOut: [] }),
      close: async () => undefined,
    };
  };
  const scanner = scannerHere(open, { fileBytes: 1_000, fileSeconds: 1 });
  const action = scanFile({ currentPublication: async () => publication }, scanner, 1_000);
  const answer = (call: ActionCall): Promise<void> => {
    const done = action.answer({ ...call, body: (most) => thenArrived(call, most, arrived) });
    first.resolve({ call, done });
    return done;
  };
  const server = await serveLab({
    port: 0,
    services: new Map([['/api.php', new Map([['scanfile', { ...action, answer }]])]]),
    callerOf: async () => ({ token: 1, name: 'ana', rights: new Set(['scan'] as const) }),
    report: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => server.close(0));
  onTestFinished(() => scanner.close());
  return {
    reported,
    first: first.promise,
    compiling: compiling.promise,
    compile: compiled.resolve,
    address: `http://127.0.0.1:${server.port}/api.php?action=scanfile&token=x`,
  };
}

async function* thenArrived(
  call: ActionCall,
  mostBytes: number,
  arrived: (call: ActionCall) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* call.body(mostBytes);
  await arrived(call);
}

function ask(address: string): ClientRequest {
  const asking = request(address, {
    method: 'POST',
    agent: false,
    headers: { ...formHeaders, 'Content-Length': body.length },
  });
  asking.on('error', () => undefined);
  asking.end(body);
  return asking;
}

async function leave(client: ClientRequest | undefined, { response }: ActionCall): Promise<void> {
  const gone = once(response, 'close');
  client?.destroy();
  await gone;
}

test('a client that disconnects while rules compile starts no scan, and the next uses the compiled rules', async () => {
  const { reported, first, compiling, compile, address } = await lab();
  const client = ask(address);
  await compiling;
  const { call, done } = await first;
  await leave(client, call);
  compile();
  await done;
  expect(reported).toEqual(['compile']);
  const response = await fetch(address, { method: 'POST', headers: formHeaders, body });
  expect([response.status, reported]).toEqual([200, ['compile', 'scan a.exe']]);
});

test('the lab compiles nothing for a client that disconnects with the last byte of its form', async () => {
  const clients: ClientRequest[] = [];
  const hasLeft = Promise.withResolvers<void>();
  const { reported, first, compile, address } = await lab((call) => leave(clients[0], call).then(hasLeft.resolve));
  compile();
  clients.push(ask(address));
  await hasLeft.promise;
  await (
    await first
  ).done;
  expect(reported).toEqual([]);
});
