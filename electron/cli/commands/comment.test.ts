import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommentThread, ThreadComment } from '../../../shared/domain/comment.ts';
import type { LookupResult } from '../../../shared/domain/sample.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { type Answers, librarySampleOf, runInMemory } from '../memory-run.fixture.ts';
import { inTree } from './comment.ts';

const md5 = 'a'.repeat(32);
const said = (id: string, parentId: string | null = null, facts: Partial<ThreadComment> = {}): ThreadComment => ({
  id,
  parentId,
  author: 'desk-4',
  content: `text of ${id}`,
  created: '2026-11-01 server time',
  own: null,
  ...facts,
});
const threadOf = (...comments: ThreadComment[]): CommentThread => ({
  comments,
  draft: { text: 'half a thought', parentId: null },
  listsComments: true,
});

const sending = (own: ThreadComment['own']): Answers => ({
  'comments.send': () => ({ id: 5 }),
  'comments.thread': () => threadOf(said('9', null, { own })),
});
const sentWell = sending({ id: 5, state: 'sent', isListed: true, failure: null });
const run = (args: string[], answers: Answers, input: string | null = null) =>
  runInMemory(['comment', ...args], () => ({ answers, input }));

test('comment sends a comment and keeps the draft in the page', async () => {
  const { code, lines, inputsOf } = await run([md5.toUpperCase(), 'packed with UPX', '--reply-to', '4'], sentWell);
  expect(inputsOf('comments.send')).toEqual([
    { workspaceId: 'team', md5, draft: { text: 'packed with UPX', parentId: '4' }, keepsDraft: true },
  ]);
  expect([code, lines]).toEqual([0, [`sent\t${md5}\t9`]]);
});

test('comment reads its text from standard input when none is given', async () => {
  const { inputsOf } = await run([md5], sentWell, 'two\nlines\n');
  expect(inputsOf('comments.send')).toMatchObject([{ draft: { text: 'two\nlines\n', parentId: null } }]);
  expect((await run([md5], sentWell)).code).toBe(2);
});

async function fileWith(bytes: Uint8Array): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'text'), bytes);
  return join(folder, 'text');
}

test('comment reads a text file written by Windows PowerShell', async () => {
  const file = await fileWith(Buffer.from('\ufeffgepackt, ä', 'utf16le'));
  expect((await run([md5, '--file', file], sentWell)).inputsOf('comments.send')).toMatchObject([
    { draft: { text: 'gepackt, ä' } },
  ]);
});

test.each([
  ['NULs', Buffer.alloc(8)],
  ['Latin-1', Buffer.from('ä', 'latin1')],
  ['more than anybody types', Buffer.alloc(2 ** 20 + 1, 'x')],
])('comment refuses a file of %s', async (_what, bytes) => {
  const { code, asked } = await run([md5, '--file', await fileWith(bytes)], sentWell);
  expect([code, asked]).toEqual([2, []]);
});

test.each([
  {
    state: 'failed',
    failure: { kind: 'token-refused', service: 'repository', address: 'https://repo.example', status: 401 },
    code: 4,
  },
  {
    state: 'may-have-arrived',
    failure: { kind: 'may-have-arrived', service: 'repository', address: 'https://repo.example', action: 'addcomment' },
    code: 5,
  },
] as const)('a comment that is $state ends with $code', async ({ state, failure, code }) => {
  const { said: reported, ...ran } = await run([md5, 'text'], sending({ id: 5, state, isListed: false, failure }));
  expect([ran.code, ran.lines, reported.length]).toEqual([code, [], 2]);
});

const lookedUp: LookupResult = {
  asked: md5,
  record: {
    md5,
    sha1: null,
    sha256: null,
    name: null,
    sizeBytes: null,
    date: null,
    uploader: null,
    threat: null,
    criticity: null,
    mime: null,
    favorite: null,
    locked: null,
    tags: [],
    urls: [],
    comments: [],
    commentsOmitted: 0,
    listsComments: true,
    virusTotal: { state: null, score: null, link: null },
    sandbox: { state: null, link: null },
    ssdeep: null,
    imphash: null,
    pdbPath: null,
    signer: null,
    warning: null,
    unknown: {},
  },
  local: { md5, sha1: null, sha256: null, sizeBytes: null, inVault: false, firstSeen: '', lastSeen: '', tags: [] },
  elapsedMs: 1,
};

test('comment --list fetches a thread and shows it as a tree', async () => {
  const answers: Answers = {
    'samples.lookup': () => lookedUp,
    'comments.thread': () => threadOf(said('1'), said('2'), said('3', '1', { content: 'a\n\u202eb' })),
  };
  const { lines } = await runInMemory(['comment', md5, '--list'], () => ({ answers, isPerson: true }));
  expect(lines).toEqual([
    '#1  desk-4  2026-11-01 server time',
    '  text of 1',
    '  #3  desk-4  2026-11-01 server time',
    '    a',
    '    \\u202eb',
    '#2  desk-4  2026-11-01 server time',
    '  text of 2',
  ]);
});

test('comment --list prevents following an address in a comment by accident', async () => {
  const answers: Answers = {
    'samples.lookup': () => lookedUp,
    'comments.thread': () => threadOf(said('1', null, { content: 'see https://evil.example/x' })),
  };
  const { lines } = await runInMemory(['comment', md5, '--list'], () => ({ answers, isPerson: true }));
  expect(lines[1]).toBe('  see hxxps://evil[.]example/x');
  expect((await run([md5, '--list'], answers)).lines).toEqual([
    '1\t-\tdesk-4\t2026-11-01 server time\tsent\tsee hxxps://evil[.]example/x',
  ]);
});

test('comment --list shows circular replies and replies to missing comments once', () => {
  const placed = inTree(threadOf(said('1', '2'), said('2', '1'), said('3', 'gone'), said('4', '4'), said('5', '3')));
  expect(placed.map(({ comment: { id }, depth }) => [id, depth])).toEqual([
    ['3', 0],
    ['5', 1],
    ['4', 0],
    ['1', 0],
    ['2', 1],
  ]);
});

test('comment gets the MD5 of another hash from the library, which may not know it', async () => {
  const known = await run(['b'.repeat(64), 'text'], { ...sentWell, 'library.sample': () => librarySampleOf({ md5 }) });
  expect(known.inputsOf('comments.send')).toMatchObject([{ md5 }]);
  const unknown = await run(['b'.repeat(64), 'text'], {
    ...sentWell,
    'library.sample': () => librarySampleOf({ md5: null }),
  });
  expect([unknown.code, unknown.inputsOf('comments.send')]).toEqual([3, []]);
  expect((await run(['nothing', 'text'], {})).code).toBe(2);
});
