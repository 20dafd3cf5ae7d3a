import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionsOf, type ServerAction } from '../../shared/domain/server-action.ts';
import type { QuerySearch, RecordChange, ReplaceableParts, ServerSearch } from '../../shared/domain/server-record.ts';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import type { Connect } from '../api/connections.ts';
import { failureOf } from '../api/failure-of.fixture.ts';
import { Servers } from './servers.ts';
import { openTestData, type TestData } from './testing/test-data.fixture.ts';
import { connectTo, listenLocally } from './testing/test-host.fixture.ts';

const workspaceId = 'team';
const md5 = 'a'.repeat(32);
const sha256 = 'b'.repeat(64);

/** What the repository answers to each action, and the requests that it got: `getfiles name=x page=1`. */
type Answers = Partial<Record<ServerAction, (query: URLSearchParams, form: URLSearchParams) => unknown>>;
let answers: Answers;
let requests: string[];
let data: TestData;
let servers: Servers;
let mayUse: boolean;
let now: number;
let isConfigured: boolean;
/** Behind the address of the repository. */
let path: string;
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URL(request.url ?? '', 'http://x').searchParams;
  const action = actionsOf.repository.find((one) => one === query.get('action'));
  const form = new URLSearchParams(await bodyOf(request));
  query.delete('action');
  query.delete('token');
  requests.push([action, ...[...query, ...form].map(([name, value]) => `${name}=${value}`)].join(' '));
  const reply = action === undefined ? undefined : answers[action]?.(query, form);
  if (reply === undefined) return void response.writeHead(404).end();
  if (reply === 'dropped') return void request.socket.destroy();
  if (typeof reply === 'number') return void response.writeHead(reply).end(reply === 403 ? 'Not enough rights' : '');
  response.end(JSON.stringify(reply));
}

beforeEach(async () => {
  [answers, requests, mayUse, now, isConfigured, path] = [{}, [], true, 0, true, ''];
  data = await openTestData();
  const baseUrl = await listenLocally(server);
  const { library, serverActions } = data.stores;
  const connectHere = connectTo(baseUrl);
  const connect: Connect = async (id, service) => ({
    ...(await connectHere(id, service)),
    baseUrl: baseUrl + path,
    noteAction: (action, isThere) => void serverActions.note({ workspaceId: id, service, baseUrl }, action, isThere),
  });
  servers = new Servers({
    connect,
    store: serverActions,
    library,
    journal: data.stores.journal,
    workspace: () =>
      isConfigured ? { repository: { baseUrl }, ruleEditor: null, options: { optionalActions: mayUse } } : null,
    now: () => now,
  });
});
afterEach(async () => {
  server.close().closeAllConnections();
  await data.close();
});

/** The repository was seen to answer these. */
async function seen(also: Answers = {}): Promise<void> {
  answers = { getfiles: () => ({ files: [] }), gettagsdata: () => [], updatefile: () => 406, ...also };
  await servers.findActions(workspaceId);
  requests = [];
}
const stateOf = (action: ServerAction): string | undefined =>
  servers.actions(workspaceId).actions.find((one) => one.action === action)?.state;
const journal = (hash: string): string[] =>
  data.stores.library
    .history(hash)
    .map(({ operation, outcome }) => `${operation} ${outcome}`)
    .toReversed();

describe('what is known of the actions', () => {
  it('is what the services answered, of those that are configured', async () => {
    expect(stateOf('getfiles')).toBe('unknown');
    await seen();
    expect(servers.actions(workspaceId).actions.map(({ service }) => service)).toEqual(
      actionsOf.repository.map(() => 'repository'),
    );
    expect([stateOf('getfiles'), stateOf('addcomment'), stateOf('downloadfile')]).toEqual([
      'answers',
      'absent',
      'unknown',
    ]);
  });

  it('is found out once for several that want it at the same time', async () => {
    answers = { getfiles: () => ({ files: [] }) };
    await Promise.all([servers.findActions(workspaceId), servers.findActions(workspaceId)]);
    expect(requests.filter((request) => request.startsWith('getfiles'))).toHaveLength(1);
  });

  it('includes no optional ones when the workspace does not allow them', async () => {
    mayUse = false;
    await seen();
    expect(stateOf('getfiles')).toBe('unknown');
    expect(stateOf('addcomment')).toBe('absent');
  });

  it('is fixed for the lab, which is not asked', async () => {
    const lab = await servers.findActions(labWorkspaceId);
    expect(lab.mayUse).toBe(false);
    expect(lab.actions.filter(({ state }) => state === 'absent').map(({ action }) => action)).toEqual([
      'getfiles',
      'searchfiles',
      'updatefile',
      'gettagsdata',
      'exportfile',
    ]);
    expect(requests).toEqual([]);
  });

  it('is a failure for a workspace that is gone', async () => {
    isConfigured = false;
    const missing = { kind: 'workspace-missing', id: workspaceId };
    expect(await failureOf(() => servers.actions(workspaceId))).toEqual(missing);
    expect(await failureOf(() => servers.findActions(workspaceId))).toEqual(missing);
  });
});

const entries = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ md5: at.toString(16).padStart(32, '0'), filename: `file ${at}` }));
const search = (field: ServerSearch['field'], text: string, page = 1) =>
  servers.search({ workspaceId, search: { field, text, page } });

describe('a search', () => {
  it.each<[ServerSearch['field'], string]>([
    ['name', 'name=a b'],
    ['threat', 'vendor=a b'],
    ['tag', 'tags=a b'],
    ['comment', 'comment=a b'],
  ])('by %s requests a page with the words as they are', async (field, parameter) => {
    await seen();
    answers.getfiles = () => ({ files: entries(3) });
    const { found, mayBeMore } = await search(field, 'a b', 2);
    expect(found.map(({ name }) => name)).toEqual(['file 0', 'file 1', 'file 2']);
    expect(mayBeMore).toBe(false);
    expect(requests).toEqual([`getfiles ${parameter} page=2`]);
  });

  it.each([
    [40, true],
    [37, true],
    [5, false],
    [0, false],
  ])('that finds %i on a page may have more: %s', async (count, mayBeMore) => {
    await seen();
    answers.getfiles = () => ({ files: entries(count) });
    expect((await search('name', 'x')).mayBeMore).toBe(mayBeMore);
  });

  it('by SHA-256 finds no other samples that a server lists because it ignores the field', async () => {
    await seen();
    answers.getfiles = () => ({ files: [...entries(40), { md5, sha256 }] });
    const { found, mayBeMore } = await search('sha256', sha256.toUpperCase());
    expect(found.map((one) => one.md5)).toEqual([md5]);
    expect(mayBeMore).toBe(false);
    expect(requests).toEqual([`getfiles sha256=${sha256} page=1`]);
  });

  it('by SHA-256 fails where a server ignores the field and lists other samples only', async () => {
    await seen();
    answers.getfiles = () => ({ files: entries(40) });
    expect(await failureOf(() => search('sha256', sha256))).toEqual({ kind: 'needs-md5', hash: sha256 });
  });

  it('asks nothing where it was not seen to work, or is not allowed', async () => {
    const notUsed = { kind: 'action-not-used', service: 'repository', action: 'getfiles' };
    expect(await failureOf(() => search('name', 'x'))).toEqual(notUsed);
    expect(requests).toEqual([]);
    await seen();
    mayUse = false;
    expect(await failureOf(() => search('name', 'x'))).toEqual(notUsed);
    expect(requests).toEqual([]);
  });

  it('that a server no longer knows is not tried again', async () => {
    await seen();
    answers.getfiles = () => undefined;
    expect(await failureOf(() => search('name', 'x'))).toMatchObject({ kind: 'action-unknown' });
    expect(await failureOf(() => search('name', 'x'))).toMatchObject({ kind: 'action-not-used' });
    expect(requests).toHaveLength(1);
  });
});

const queried = (query: string, more: Partial<QuerySearch> = {}) =>
  servers.searchByQuery({ workspaceId, search: { query, order: 'newest', after: null, ...more } });
/** Of two samples; of one where no more are requested. */
const pageOf =
  (from: number, more: object = {}) =>
  (query: URLSearchParams): object => ({
    files: entries(from + Math.min(2, Number(query.get('limit')))).slice(from),
    next: null,
    total: 2,
    more: false,
    ...more,
  });

describe('a search by query', () => {
  it('requests a page with the query and the order as they are', async () => {
    await seen({ searchfiles: pageOf(0, { total: 10_000, more: true }) });
    const found = await queried('tag:a -name:"b c"', { order: 'largest' });
    expect(found).toMatchObject({ next: null, total: 10_000, more: true });
    expect(found.found.map(({ name }) => name)).toEqual(['file 0', 'file 1']);
    expect(requests).toEqual(['searchfiles query=tag:a -name:"b c" order=largest limit=100']);
  });

  it('continues with the mark of the page before', async () => {
    await seen({
      searchfiles: (query) => (query.get('after') === null ? pageOf(0, { next: 'm+1' }) : pageOf(2))(query),
    });
    const { next } = await queried('x');
    const rest = await queried('x', { after: next });
    expect(rest.found.map(({ name }) => name)).toEqual(['file 2', 'file 3']);
    expect(requests.at(-1)).toBe('searchfiles query=x order=newest limit=100 after=m+1');
  });

  it.each<[string, (after: string | null) => Promise<unknown>]>([
    ['another query', (after) => queried('y', { after })],
    ['another order', (after) => queried('x', { after, order: 'oldest' })],
    ['another server', (after) => ((path = '/moved'), queried('x', { after }))],
  ])('sends no mark of %s', async (_, again) => {
    await seen({ searchfiles: pageOf(0, { next: 'mark' }) });
    const { next } = await queried('x');
    const asked = requests.length;
    expect(await failureOf(() => again(next))).toMatchObject({ kind: 'bad-input', issues: [{ path: 'after' }] });
    expect(requests).toHaveLength(asked);
  });

  it('that cannot be read, or is not allowed, is not sent', async () => {
    await seen({ searchfiles: pageOf(0) });
    const issues = [{ path: 'query', message: expect.stringContaining('Did you mean “size:”?') }];
    expect(await failureOf(() => queried('sise:1'))).toMatchObject({ kind: 'bad-input', issues });
    mayUse = false;
    expect(await failureOf(() => queried('x'))).toMatchObject({ kind: 'action-not-used', action: 'searchfiles' });
    expect(requests).toEqual([]);
  });

  it('that the repository refuses fails with its sentence', async () => {
    await seen({ searchfiles: pageOf(0) });
    answers.searchfiles = () => ({ error: { code: 'bad-parameter', message: 'No “note:”.' } });
    expect(await failureOf(() => queried('note:x'))).toMatchObject({ kind: 'request-refused', text: 'No “note:”.' });
  });
});

describe('the MD5 of a SHA-256', () => {
  const md5Of = (): Promise<string | null> => servers.md5Of(workspaceId, sha256.toUpperCase());

  it('is that of the sample that the repository finds', async () => {
    await seen();
    answers.getfiles = () => ({ files: [{ md5, sha256 }] });
    expect(await md5Of()).toBe(md5);
    expect(requests).toEqual([`getfiles sha256=${sha256} page=1`]);
  });

  it('is unknown to a repository that finds nothing', async () => {
    await seen();
    expect(await failureOf(md5Of)).toEqual({
      kind: 'unknown-hash',
      service: 'repository',
      hash: sha256.toUpperCase(),
    });
  });

  it('is not found where a server ignores the field', async () => {
    await seen();
    answers.getfiles = () => ({ files: entries(40) });
    expect(await md5Of()).toBeNull();
  });

  it('is found by a query where the repository has no other search', async () => {
    await seen({ getfiles: () => undefined, searchfiles: () => ({ files: [{ md5, sha256 }], total: 1, more: false }) });
    expect(await md5Of()).toBe(md5);
    expect(requests).toEqual([`searchfiles query=${sha256.toUpperCase()} order=newest limit=1`]);
    answers.searchfiles = () => ({ files: [], total: 0, more: false });
    expect(await failureOf(md5Of)).toMatchObject({ kind: 'unknown-hash' });
  });

  it('is not requested where no search was seen to work', async () => {
    expect(await md5Of()).toBeNull();
    expect(requests).toEqual([]);
  });

  it('fails as the search does', async () => {
    await seen();
    answers.getfiles = () => 500;
    expect(await failureOf(md5Of)).toMatchObject({ kind: 'service-failed' });
  });
});

describe('the tags of a repository', () => {
  it('are requested again after ten minutes, or after a change', async () => {
    await seen();
    answers.gettagsdata = () => [
      { tag: 'rare', count: 1 },
      { tag: 'common', count: 9 },
    ];
    const read = () => servers.tags({ workspaceId });
    expect(await read()).toEqual({ tags: ['common', 'rare'] });
    now = 9 * 60_000;
    await read();
    expect(requests).toEqual(['gettagsdata']);
    now = 11 * 60_000;
    await read();
    expect(requests).toEqual(['gettagsdata', 'gettagsdata']);
  });

  it('are at most two thousand', async () => {
    await seen({ gettagsdata: () => Array.from({ length: 3000 }, (_, at) => `tag ${at}`) });
    expect((await servers.tags({ workspaceId })).tags).toHaveLength(2000);
  });

  it('are none, without a request, where a server was not seen to list them', async () => {
    expect(await servers.tags({ workspaceId })).toEqual({ tags: [] });
    expect(await servers.tags({ workspaceId: labWorkspaceId })).toEqual({ tags: [] });
    expect(requests).toEqual([]);
  });

  it('fail with why they could not be read', async () => {
    await seen();
    answers.gettagsdata = () => 500;
    expect(await failureOf(() => servers.tags({ workspaceId }))).toMatchObject({ kind: 'service-failed' });
  });
});

describe('a change of a record', () => {
  const based: ReplaceableParts = { comment: 'one', tags: ['alpha', 'beta'], threat: '' };
  let record: { md5: string; comment: string; tags: string; threat: string };
  const change = (what: RecordChange, basedOn = based) =>
    servers.changeRecord({ workspaceId, md5, change: what, basedOn });

  /** A repository that keeps what it gets. */
  beforeEach(async () => {
    record = { md5, comment: 'one', tags: 'beta,alpha,alpha', threat: '' };
    await seen({
      getfile: () => ({ file: record }),
      updatefile: (_, form) => {
        if (form.size === 0) return 406;
        record = {
          md5,
          comment: form.get('comment') ?? record.comment,
          tags: form.get('tags') ?? record.tags,
          threat: form.get('vendor') ?? record.threat,
        };
        return {};
      },
    });
    requests = [];
  });

  it('sends the parts that change, reads the record again, and journals both', async () => {
    const { record: after, altered } = await change({ tags: ['gamma'], threat: 'Trojan' });
    expect(after).toMatchObject({ tags: ['gamma'], threat: 'Trojan', comments: [{ content: 'one' }] });
    expect(altered).toEqual([]);
    expect(requests).toEqual([
      `getfile hash=${md5}`,
      `updatefile hash=${md5} tags=gamma vendor=Trojan`,
      `getfile hash=${md5}`,
    ]);
    expect(journal(md5)).toEqual(['record-change sending', 'record-change done']);
    expect(data.stores.library.history(md5)[0]?.detail).toMatchObject({ parts: 'tags threat' });
    expect(data.stores.library.record(workspaceId, md5)?.tags).toEqual(['gamma']);
  });

  it('empties a part', async () => {
    await change({ comment: '', tags: [] });
    expect(requests[1]).toBe(`updatefile hash=${md5} comment= tags=`);
  });

  it('reports the parts that do not read as they were sent', async () => {
    answers.updatefile = () => {
      record = { ...record, comment: 'C   loader', tags: 'Gamma ,delta' };
      return {};
    };
    expect((await change({ comment: 'C++ loader', tags: ['delta', 'gamma'] })).altered).toEqual(['comment']);
    expect(journal(md5)).toEqual(['record-change sending', 'record-change altered']);
  });

  it('sends nothing when a part differs from what it was reviewed with', async () => {
    record.tags = 'alpha,beta,gamma';
    expect(await failureOf(() => change({ tags: ['alpha'] }))).toMatchObject({ kind: 'record-changed' });
    expect(requests).toEqual([`getfile hash=${md5}`]);
    expect(journal(md5)).toEqual([]);
    // Another part than the changed one may differ.
    expect((await change({ threat: 'Trojan' })).altered).toEqual([]);
  });

  it('sends nothing when the list of tags may be cut', async () => {
    record.tags = Array.from({ length: 128 }, (_, at) => `tag-${at.toString().padStart(3, '0')}`).join(',');
    const basedOn = { ...based, tags: record.tags.split(',') };
    expect(await failureOf(() => change({ tags: ['alpha'] }, basedOn))).toMatchObject({ kind: 'record-list-cut' });
    expect(requests).toEqual([`getfile hash=${md5}`]);
    expect((await change({ threat: 'Trojan' }, basedOn)).altered).toEqual([]);
  });

  it('sends nothing when addresses, which repeat each tag, may have cut the list', async () => {
    const urls = Array.from({ length: 12 }, (_, at) => `n${at}|http://x.invalid/${at}`).join(',');
    Object.assign(record, { tags: `family:${'x'.repeat(70)}`, urls });
    const basedOn = { ...based, tags: [record.tags] };
    expect(await failureOf(() => change({ tags: ['alpha'] }, basedOn))).toMatchObject({ kind: 'record-list-cut' });
  });

  it('that is refused is forbidden: the sample is known', async () => {
    answers.updatefile = () => 403;
    expect(await failureOf(() => change({ threat: 'Trojan' }))).toMatchObject({ kind: 'forbidden', status: 403 });
    expect(journal(md5)).toEqual(['record-change sending', 'record-change forbidden']);
  });

  it('whose answer is lost may have arrived, and is not sent again', async () => {
    answers.updatefile = () => 'dropped';
    expect(await failureOf(() => change({ threat: 'Trojan' }))).toMatchObject({ kind: 'may-have-arrived' });
    expect(journal(md5)).toEqual(['record-change sending', 'record-change may-have-arrived']);
    expect(requests.filter((request) => request.startsWith('updatefile'))).toHaveLength(1);
  });

  it('of an unknown sample sends nothing', async () => {
    answers.getfile = () => ({ file: null });
    expect(await failureOf(() => change({ threat: 'Trojan' }))).toMatchObject({ kind: 'unknown-hash' });
    expect(requests).toEqual([`getfile hash=${md5}`]);
  });

  it('asks nothing where it was not seen to work', async () => {
    mayUse = false;
    expect(await failureOf(() => change({ threat: 'Trojan' }))).toMatchObject({
      kind: 'action-not-used',
      action: 'updatefile',
    });
    expect(requests).toEqual([]);
  });

  it('makes the tags of the repository be read again', async () => {
    answers.gettagsdata = () => ['alpha'];
    await servers.tags({ workspaceId });
    await change({ tags: ['gamma'] });
    requests = [];
    await servers.tags({ workspaceId });
    expect(requests).toEqual(['gettagsdata']);
  });
});
