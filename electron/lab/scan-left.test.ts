import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Action, ActionCall } from './action.ts';
import type { StoredPublication } from './stores/metadata-store.ts';
import { file, formHeaders, multipart } from './multipart-body.fixture.ts';
import { type FileScanner, scanFile, scannerHere } from './scan-file.ts';
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
  const action = scanFile({ currentPublication: async () => publication }, scanner, { fileBytes: 1_000 });
  const answer = (call: ActionCall): Promise<void> => {
    const done = action.answer({ ...call, body: (most) => thenArrived(call, most, arrived) });
    first.resolve({ call, done });
    return done;
  };
  const address = await serve({ ...action, answer });
  onTestFinished(() => scanner.close());
  return {
    reported,
    first: first.promise,
    compiling: compiling.promise,
    compile: compiled.resolve,
    address,
  };
}

/** Until the test is over. @returns the address of the action */
async function serve(action: Action): Promise<string> {
  const server = await serveLab({
    port: 0,
    services: new Map([['/api.php', new Map([['scanfile', action]])]]),
    callerOf: async () => ({ token: 1, name: 'ana', rights: new Set(['scan'] as const) }),
    report: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => server.close(0));
  return `http://127.0.0.1:${server.port}/api.php?action=scanfile&token=x`;
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

test('a client that stops sending its file loses its place, and one whose file is slowly stored does not', async () => {
  const stored = Promise.withResolvers<void>();
  const written: string[] = [];
  const scanner: FileScanner = {
    lend: (work) =>
      work({
        write: async (chunk) => {
          written.push(Buffer.from(chunk).toString());
          if (written.at(-1) === 'MZ') await stored.promise;
        },
        scan: async () => '{}',
      }),
    close: async () => undefined,
  };
  const limits = { fileBytes: 1_000, silentMs: 200 };
  const action = scanFile({ currentPublication: async () => publication }, scanner, limits);
  const address = await serve(action);
  const reply = fetch(address, { method: 'POST', headers: formHeaders, body });
  await expect.poll(() => written).toEqual(['MZ']);
  const stalled = request(address, {
    method: 'POST',
    agent: false,
    headers: { ...formHeaders, 'Content-Length': 999 },
  });
  const cut = once(stalled, 'error');
  stalled.write(body.subarray(0, 10));
  expect(await cut).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  stored.resolve();
  expect((await reply).status).toBe(200);
});
