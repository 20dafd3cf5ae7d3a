import { hash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import { collected, filesUnder } from '../../vault/eicar.fixture.ts';
import type { Packages } from '../../vault/packages.ts';
import {
  createTestPublications,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
  zipOf,
} from './publications.fixture.ts';

let editor: RuleEditor;
let setup: TestPublications;
let openAt: Packages['openAt'];
beforeAll(async () => {
  editor = await startRuleEditor();
  setup = await createTestPublications(editor);
  openAt = setup.packages.openAt.bind(setup.packages);
});
beforeEach(() => {
  setup.packages.openAt = openAt;
  setup.startOver();
});
afterAll(async () => {
  await setup.remove();
  editor.end();
});

/** Does something when a package has been received, before it is opened. */
function whenReceived(act: () => unknown): void {
  setup.packages.openAt = async (workspaceId, sha256) => {
    setup.packages.openAt = openAt;
    await act();
    return openAt(workspaceId, sha256);
  };
}

const keptFiles = async (): Promise<string[]> =>
  (await filesUnder(join(setup.folder, 'data', 'packages'))).filter((path) => path.includes(setup.team));
const files = { 'a.yar': rule('one') };

test('a package whose check is stopped while it is opened is not kept', async () => {
  editor.publish('1.4', await zipOf(files, '1.4'));
  whenReceived(() => setup.publications.cancelCheck(setup.team));
  expect(await setup.check()).toMatchObject({ packages: [], lastCheck: { outcome: 'cancelled' } });
  expect(await keptFiles()).toEqual([]);
});

test('a check is stopped between two members of a package, whatever its result would be', async () => {
  editor.publish('1.4', await zipOf({ 'a.txt': 'no rule', 'b.txt': 'none either' }));
  whenReceived(() => setup.publications.cancelCheck(setup.team));
  expect(await setup.check()).toMatchObject({ packages: [], lastCheck: { outcome: 'cancelled' } });
});

test('a package stored before stays when its check is stopped', async () => {
  editor.publish('1.4', await zipOf(files, '1.4'));
  const { candidate } = await setup.check();
  whenReceived(() => setup.publications.cancelCheck(setup.team));
  expect(await setup.check()).toMatchObject({ candidate, lastCheck: { outcome: 'cancelled' } });
  await setup.packages.check(setup.team, candidate ?? '');
});

test('an export damaged after its package leaves nothing', async () => {
  const inner = await zipOf(files);
  const member = (name: string, bytes: Buffer) => ({ name, sizeBytes: bytes.length, open: () => [bytes] });
  const damaged = await collected(
    writePlainZip([member(hash('sha256', inner), inner), member('manifest.json', Buffer.from('{"version":"1"}'))]),
  );
  damaged.write('2', damaged.indexOf('{"version":"1"}') + 12);
  expect(await setup.bring('export.zip', damaged)).toMatchObject({
    packages: [],
    lastCheck: { outcome: 'failed', file: 'export.zip', failure: { kind: 'archive-damaged' } },
  });
  expect(await keptFiles()).toEqual([]);
});

test('a picked file with an unreadable archive is named in its failure', async () => {
  expect(await setup.bring('notes.zip', Buffer.from('PK\u0003\u0004 and no directory'))).toMatchObject({
    lastCheck: { file: 'notes.zip', failure: { kind: 'archive-damaged', name: 'notes.zip' } },
  });
  expect(await keptFiles()).toEqual([]);
});

test('a package removed while it arrives again is reported as missing', async () => {
  editor.publish('1.4', await zipOf(files, '1.4'));
  const { candidate } = await setup.check();
  const { check } = setup.packages;
  setup.packages.check = async (workspaceId, sha256) => {
    setup.packages.check = check;
    await setup.packages.remove(workspaceId, sha256);
    return check.call(setup.packages, workspaceId, sha256);
  };
  expect(await setup.check()).toMatchObject({
    lastCheck: { outcome: 'failed', failure: { kind: 'package-missing', sha256: candidate } },
  });
  expect(setup.defects).toEqual([]);
});

test('a workspace removed while a file is opened for it leaves nothing', async () => {
  const removed = Promise.withResolvers<void>();
  whenReceived(() => void setup.removeTeam().then(removed.resolve, removed.reject));
  const { team } = setup;
  const { id } = await setup.staging.stageStream(
    'a.zip',
    (async function* () {
      yield await zipOf(files, '1.4');
    })(),
  );
  setup.publications.addFile(team, id, null);
  await removed.promise;
  expect(setup.stores.packages.pointers(team)).toEqual({
    active: null,
    candidate: null,
    pinned: null,
    lastCheck: null,
  });
  expect(setup.stores.packages.list(team)).toEqual([]);
  expect(await keptFiles()).toEqual([]);
});
