import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionsOf, optionalActions, type ServerAction } from '../../shared/domain/server-action.ts';
import { failureOf } from './failure-of.fixture.ts';
import { createRepositoryApi } from './repository-api.ts';
import {
  connectionTo,
  httpReply,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
} from './scripted-server.fixture.ts';
import { noting } from './client/client.ts';
import { findActions, unusedMd5 } from './server-actions.ts';

let server: ScriptedServer;
let noted: Partial<Record<ServerAction, boolean>>;
beforeEach(() => void (noted = {}));
afterEach(() => server.close());

type Service = keyof typeof actionsOf;
const connection = (service: Service) =>
  connectionTo(server.origin, { service, noteAction: (action, answers) => void (noted[action] = answers) });
const actionIn = (head: string): string => /[?&]action=([^&]*)/.exec(head)?.[1] ?? '';

async function found(
  service: Service,
  script: Script,
  withOptional = true,
): Promise<Partial<Record<ServerAction, boolean>>> {
  server = await startScripted(script);
  return Object.fromEntries(await findActions(connection(service), { withOptional, ...onceOnly }));
}

/** Answers each action in its own way: status and body. */
const answering =
  (
    answers: Readonly<Record<string, readonly [number, string]>>,
    others: readonly [number, string] = [404, ''],
  ): Script =>
  (socket, head) =>
    void socket.end(httpReply(...(answers[actionIn(head)] ?? others)));

/** What the public release 5.1 answers to the calls of a probe. */
const release51 = {
  getfile: [200, '{"file":null}'],
  downloadfile: [403, 'Not enough rights'],
  bulkdownload: [403, 'Not enough rights'],
  uploadfiles: [406, ''],
  getfiles: [200, '{"files":[]}'],
  searchfiles: [404, ''],
  updatefile: [406, ''],
  gettagsdata: [200, '[{"tag":"","count":42},{"tag":"alpha","count":1}]'],
} as const;

describe('the actions of a repository', () => {
  it('are found in a public release, which has no comments', async () => {
    const expected = {
      getfile: true,
      downloadfile: true,
      bulkdownload: true,
      uploadfiles: true,
      addcomment: false,
      getfiles: true,
      searchfiles: false,
      updatefile: true,
      gettagsdata: true,
    };
    expect(await found('repository', answering(release51))).toEqual(expected);
    expect(noted).toEqual(expected);
  });

  it('are found in a release that knows the documented actions only', async () => {
    const error = (code: string): string => JSON.stringify({ error: { code, message: 'x' } });
    const documented: Script = answering(
      {
        getfile: [404, error('unknown-file')],
        downloadfile: [404, error('unknown-file')],
        bulkdownload: [404, error('unknown-file')],
        uploadfiles: [405, error('wrong-method')],
        addcomment: [405, error('wrong-method')],
      },
      [404, error('unknown-action')],
    );
    expect(await found('repository', documented)).toEqual({
      getfile: true,
      downloadfile: true,
      bulkdownload: true,
      uploadfiles: true,
      addcomment: true,
      getfiles: false,
      searchfiles: false,
      updatefile: false,
      gettagsdata: false,
    });
  });

  it('are found with one GET each that changes nothing, in their order', async () => {
    await found('repository', answering(release51));
    expect(server.heads.map(actionIn)).toEqual(actionsOf.repository);
    expect(server.heads.map((head) => head.split(' ')[0])).toEqual(actionsOf.repository.map(() => 'GET'));
    expect(server.heads.filter((head) => /^(content-length|transfer-encoding):/im.test(head))).toEqual([]);
    const parameters = server.heads.map((head) => /&(.*)&?token=/.exec(head)?.[1]?.replace(/&$/, ''));
    expect(parameters).toEqual([
      `hash=${unusedMd5}`,
      `file=${unusedMd5}`,
      `files%5B%5D=${unusedMd5}`,
      '',
      '',
      `sha256=${'0'.repeat(64)}`,
      'query=&limit=1',
      '',
      '',
    ]);
  });

  it('include a search by query where its page can be read', async () => {
    const page = { files: [{ md5: 'a'.repeat(32) }], next: 'x', total: 12, more: false };
    const searching = async (body: object): Promise<boolean | undefined> => {
      const { searchfiles } = await found('repository', answering({ searchfiles: [200, JSON.stringify(body)] }));
      await server.close();
      return searchfiles;
    };
    expect(await searching(page)).toBe(true);
    expect(await searching({ ...page, total: null })).toBeUndefined();
    expect(await searching({ files: [] })).toBeUndefined();
    expect(await searching([])).toBeUndefined();
  });

  it('are the documented ones only when the workspace does not allow others', async () => {
    const answers = await found('repository', answering(release51), false);
    expect(Object.keys(answers)).toEqual(['getfile', 'downloadfile', 'bulkdownload', 'uploadfiles', 'addcomment']);
    expect(server.heads.map(actionIn).some((action) => optionalActions.has(action as ServerAction))).toBe(false);
  });

  it.each<[string, number, string]>([
    ['an empty object', 200, '{}'],
    ['nothing', 200, ''],
    ['a text', 200, 'OK'],
    ['a page', 200, '<!DOCTYPE html><title>Login</title>'],
    ['JSON of another kind', 200, '{"status":"ok"}'],
    ['a refusal', 403, 'Forbidden'],
    ['a page that was not found', 404, '<!DOCTYPE html><title>Not Found</title>'],
    ['a refused token', 401, ''],
    ['a failure', 500, ''],
    ['a gateway', 502, '<html>Bad gateway</html>'],
    ['a bad request', 400, 'missing hash parameter'],
    ['an error in JSON', 200, '{"error":"no"}'],
    ['a redirect', 302, ''],
  ])('include no optional one when everything is answered with %s', async (_, status, body) => {
    const answers = await found('repository', answering({}, [status, body]));
    expect(Object.keys(answers).filter((action) => optionalActions.has(action as ServerAction))).toEqual([]);
  });

  it.each<[string, number, string]>([
    ['an empty object', 200, '{}'],
    ['nothing', 200, ''],
    ['a page', 200, '<!DOCTYPE html><title>Login</title>'],
    ['a page that was not found', 404, '<!DOCTYPE html><title>Not Found</title>'],
    ['a refused token', 401, ''],
    ['a failure', 503, ''],
    ['a redirect', 302, ''],
  ])('stay open when everything is answered with %s', async (_, status, body) => {
    expect(await found('repository', answering({}, [status, body]))).toEqual({});
    expect(noted).toEqual({});
  });

  const notice = '<br />\n<b>Notice</b>:  x in <b>/srv/cuckoo.php</b> on line <b>25</b><br />\n';
  it('that are missing are found behind a PHP notice', async () => {
    const shown = Object.fromEntries(
      Object.entries(release51).map(([action, [status, body]]) => [action, [status, notice + body] as const]),
    );
    expect(await found('repository', answering(shown, [404, notice]))).toEqual({
      getfile: true,
      downloadfile: true,
      bulkdownload: true,
      uploadfiles: true,
      addcomment: false,
      getfiles: true,
      searchfiles: false,
      gettagsdata: true,
      updatefile: true,
    });
  });

  it.each([405, 406])('include the change of a record when it refuses GET with %i', async (status) => {
    expect(await found('repository', answering({ updatefile: [status, ''] }))).toMatchObject({ updatefile: true });
  });

  it.each<[string, number, string]>([
    ['reads as success', 200, '{}'],
    ['names a missing parameter', 400, 'missing hash parameter'],
    ['is a refusal', 403, 'Not enough rights'],
  ])('do not include the change of a record when the answer to its GET %s', async (_, status, body) => {
    expect(await found('repository', answering({ updatefile: [status, body] }))).not.toHaveProperty('updatefile');
  });

  it.each<[string, string, boolean | undefined]>([
    ['a list', '{"files":[]}', true],
    ['a bare list', '[]', true],
    ['other samples, where the field is unknown', `{"files":[{"md5":"${'a'.repeat(32)}"}]}`, true],
    ['samples that cannot be requested', '{"files":[{"name":"x"}]}', undefined],
    ['the files of a rule editor', '[{"id":1,"name":"Families","rules":2}]', undefined],
    ['half a list', '{"files":[', undefined],
  ])('include the search when the answer is %s', async (_, body, expected) => {
    expect((await found('repository', answering({ getfiles: [200, body] }))).getfiles).toBe(expected);
  });

  it('do not lack the download when a server answers an unknown sample like an unknown action', async () => {
    expect(await found('repository', answering({ ...release51, downloadfile: [404, ''] }))).not.toHaveProperty(
      'downloadfile',
    );
  });

  it('end with the cancelling', async () => {
    server = await startScripted(() => {});
    const cancelled = { withOptional: true, signal: AbortSignal.abort() };
    expect(await failureOf(() => findActions(connection('repository'), cancelled))).toEqual({ kind: 'cancelled' });
    expect(noted).toEqual({});
  });

  it('never include users or deletions', () => {
    const all = Object.values(actionsOf).flat();
    expect(all.filter((action) => /user|delete/.test(action))).toEqual([]);
  });
});

describe('the actions of a rule editor', () => {
  const files = '[{"id":1,"name":"Families","imports":["pe"],"rules":2}]';
  it('are found in a public release', async () => {
    const answers = { getfiles: [200, files], exportfile: [400, 'missing id parameter'] } as const;
    expect(await found('rule-editor', answering(answers))).toEqual({
      checkpackageversion: false,
      downloadpublication: false,
      scanfile: false,
      exportfile: true,
    });
    expect(server.heads.map(actionIn)).toEqual([
      'checkpackageversion',
      'downloadpublication',
      'scanfile',
      'getfiles',
      'exportfile',
    ]);
  });

  it('are found in a release that knows the documented actions only', async () => {
    const answers = {
      checkpackageversion: [200, '{"outdated":true}'],
      downloadpublication: [400, 'missing id'],
      scanfile: [406, ''],
    } as const;
    expect(await found('rule-editor', answering(answers))).toEqual({
      checkpackageversion: true,
      downloadpublication: true,
      scanfile: true,
      exportfile: false,
    });
  });

  it.each<[string, readonly [number, string], readonly [number, string]]>([
    ['its list of files cannot be read', [200, '{}'], [400, 'missing id parameter']],
    ['its list is refused', [403, 'unable to get files'], [400, 'missing id parameter']],
    ['the token is refused', [200, files], [401, '']],
    ['everything succeeds', [200, files], [200, files]],
  ])('do not include the export of rules when %s', async (_, getfiles, exportfile) => {
    expect(await found('rule-editor', answering({ getfiles, exportfile }))).not.toHaveProperty('exportfile');
  });
});

describe('a call', () => {
  const md5 = 'a'.repeat(32);
  const called = async (action: 'getFile' | 'downloadFile', status: number, body: string): Promise<void> => {
    server = await startScripted((socket) => socket.end(httpReply(status, body)));
    const api = createRepositoryApi(connection('repository'), onceOnly);
    await Promise.allSettled([api[action](md5)]);
  };

  it.each<[string, number, string, boolean | undefined]>([
    ['a record', 200, `{"file":{"md5":"${md5}"}}`, true],
    ['no such sample', 200, '{"file":null}', true],
    ['an empty 404', 404, '', false],
    ['a refusal', 403, 'Not enough rights', undefined],
    ['another method', 406, '', undefined],
    ['a page', 200, '<!DOCTYPE html>', undefined],
    ['a failure', 500, '', undefined],
  ])('answered with %s notes what that shows', async (_, status, body, expected) => {
    await called('getFile', status, body);
    expect(noted).toEqual(expected === undefined ? {} : { getfile: expected });
  });

  it('for a sample that an old release does not have notes nothing', async () => {
    await called('downloadFile', 404, '');
    expect(noted).toEqual({});
  });

  it('that fails in the program itself notes nothing, and fails with that', async () => {
    server = await startScripted(() => {});
    const defect = new TypeError('a defect');
    await expect(noting(connection('repository'), 'getfiles', () => Promise.reject(defect))).rejects.toBe(defect);
    expect(noted).toEqual({});
  });
});
