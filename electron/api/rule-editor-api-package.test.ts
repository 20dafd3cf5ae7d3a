import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { whenBusy } from '../base/property.fixture.ts';
import { createRedaction } from '../base/redaction.ts';
import { failureOf } from './failure-of.fixture.ts';
import { packageBytes } from './replies/file-replies.ts';
import { createRuleEditorApi, type PublicationForm } from './rule-editor-api.ts';
import {
  connectionTo,
  httpReply,
  onceOnly,
  type ScriptedServer,
  startScripted,
  tokenOfTests,
} from './scripted-server.fixture.ts';

let server: ScriptedServer;
afterEach(() => server.close());

const plainly: PublicationForm = { publicLink: false, encrypted: false };
async function received(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Buffer> {
  server = await startScripted((socket) => socket.end(httpReply(200, body, headers)));
  return bytesOf(
    (
      await createRuleEditorApi(connectionTo(server.origin, { service: 'rule-editor' }), onceOnly).downloadPublication(
        '1',
        plainly,
      )
    ).chunks,
  );
}
async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
const rule = 'rule Ours { condition: true }';
const zip = Buffer.from('PK\x03\x04\x00\x00 the rest', 'latin1');

describe('a rule package', () => {
  it.each<[string, string | Uint8Array]>([
    ['that is a ZIP', zip],
    ['that is a ZIP with stray bytes behind it', Buffer.concat([zip, Buffer.from('{}')])],
    ['of one rule', rule],
    ['of one rule with stray bytes behind it', `${rule}{}`],
    [
      'of rules after a comment that talks of errors',
      '/* Publication not found */\n// "\nimport "pe"\n\nprivate global rule a // {\n:\ttag1 /* and */ tag2\n' +
        '{ condition: true }',
    ],
    ['with a byte order mark', `\uFEFF${rule}`],
    ['of rules in another encoding than UTF-8', Buffer.from('rule caf\xe9', 'latin1')],
    ['of rules in UTF-16', Buffer.from(rule, 'utf16le')],
    ['of bytes that nobody knows', Buffer.from([0, 1, 2, 3])],
    ['of rules that speak of a page', `rule page { strings: $a = "<html>" condition: $a }`],
    ['of much text', 'not found. '.repeat(10_000)],
    ['of many bytes', Buffer.alloc(3_000_000, 7)],
  ])('%s arrives unchanged', async (_, body) => {
    expect(Buffer.compare(await received(body), Buffer.from(body))).toBe(0);
  });

  it('of much text is not waited for when its length is announced', async () => {
    server = await startScripted((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\nPublication'),
    );
    const api = createRuleEditorApi(connectionTo(server.origin), onceOnly);
    const { expectedBytes, chunks } = await api.downloadPublication('1', plainly);
    expect(expectedBytes).toBe(65_537);
    for await (const chunk of chunks) {
      expect(Buffer.from(chunk).toString()).toBe('Publication');
      break;
    }
    await server.allClosed();
  });

  it('is requested in the chosen form', async () => {
    server = await startScripted((socket) => socket.end(httpReply(200, zip)));
    const api = createRuleEditorApi(connectionTo(server.origin), onceOnly);
    await bytesOf((await api.downloadPublication('../a&b', { publicLink: true, encrypted: true })).chunks);
    await bytesOf((await api.downloadPublication('half \uD800', plainly)).chunks);
    expect(server.heads[0]).toContain(
      'GET /api.php?action=downloadpublication&id=..%2Fa%26b&public_link=true&encrypted=true&token=',
    );
    expect(server.heads[1]).toContain('&id=half%20%EF%BF%BD&public_link=false&encrypted=false&');
  });
});

describe('a reply in place of a package', () => {
  it.each([
    ['words', 'Publication not found', 'Publication not found'],
    ['words with stray bytes behind them', 'Publication not found{}', 'Publication not found'],
    ['words that speak of a rule', 'No such rule found: none', 'No such rule found: none'],
    ['a rule that is only quoted', 'Cannot read "rule x {"', 'Cannot read "rule x {"'],
    ['a rule in a comment', '// rule x { }\nnot found', '// rule x { } not found'],
    ['words that repeat the token', `no ${tokenOfTests}!`, 'no [secret]!'],
    ['an error in JSON', '{"error":{"code":"x","message":"Not encrypted"}}', 'Not encrypted'],
    ['an error in JSON that quotes a rule', '{"error":"rule x { is broken"}', 'rule x { is broken'],
    ['other JSON', '{"message":"rule x { no"}', '{"message":"rule x { no"}'],
  ])('%s are a refusal with this text', async (_, body, text) => {
    expect(await failureOf(() => received(body))).toEqual({
      kind: 'request-refused',
      service: 'rule-editor',
      address: `${server.origin}/api.php`,
      status: 200,
      text,
    });
  });

  it.each([
    ['a page', '<!DOCTYPE html><title>Login</title> rule x {', 'html-reply'],
    ['nothing', '', 'empty-reply'],
    ['white space', '\r\n ', 'empty-reply'],
    ['stray bytes alone', '{}', 'empty-reply'],
  ])('%s is reported as what it is', async (_, body, kind) => {
    expect(await failureOf(() => received(body, { 'Content-Type': 'application/zip' }))).toMatchObject({
      kind,
      status: 200,
    });
  });
});

it(
  'every package reply is passed on whole or is a failure, whatever its bytes and pieces',
  async () => {
    server = await startScripted(() => {});
    const facts = {
      service: 'rule-editor',
      address: 'https://rules.example/api.php',
      action: 'downloadpublication',
      hashes: [],
      hasToken: true,
      redaction: createRedaction([]),
    } as const;
    const words = [
      'rule ',
      'x',
      '{',
      '}',
      '{}',
      '/*',
      '*/',
      '//',
      '"',
      '\\',
      '\n',
      '<html>',
      '{"error":"x"}',
      ': ',
      ' ',
    ].map((text) => Buffer.from(text));
    const piece = fc.oneof(
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 8 }) },
      { weight: 6, arbitrary: fc.constantFrom(...words) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const chunks = (async function* () {
          yield* pieces;
        })();
        const outcome = await packageBytes({ expectedBytes: null, chunks, facts }).catch((error: unknown) =>
          error instanceof FailureError ? null : Promise.reject(error),
        );
        if (outcome !== null) expect(Buffer.compare(await bytesOf(outcome.chunks), Buffer.concat(pieces))).toBe(0);
      }),
      { numRuns: 300 },
    );
  },
  whenBusy,
);

it.each(['"\\', '/*', '//', 'rule ', 'rule x ', 'rule x:', '"'])(
  '64 KiB of %j are classified as quickly as any reply',
  async (text) => {
    expect(await failureOf(() => received(text.repeat(Math.floor(65_536 / text.length))))).toMatchObject({
      kind: 'request-refused',
    });
  },
  whenBusy,
);
