import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LabRight, labRights } from '../../shared/domain/lab.ts';
import type { Service } from './action.ts';
import { openFolderBlobs } from './stores/folder/folder-blobs.ts';
import { usualFormLimits } from './form-fields.ts';
import { repositoryService } from './repository-service.ts';
import { PackagePassword, ruleEditor } from './rule-editor-service.ts';
import { scannerHere, usualScanLimits } from './scan-file.ts';
import { serveLab } from './server.ts';
import { openSqliteMetadata } from './stores/folder/sqlite-metadata-store.ts';
import { storeOf } from './tokens.fixture.ts';
import { createCallerOf, tokenDigest } from './tokens.ts';

/** The right each action takes. `restricted` opens none. */
const rightOf: Readonly<Record<string, LabRight>> = {
  getfile: 'read',
  downloadfile: 'download',
  bulkdownload: 'download',
  uploadfiles: 'upload',
  addcomment: 'comment',
  checkpackageversion: 'read',
  downloadpublication: 'download',
  scanfile: 'scan',
  publications: 'publish',
  publish: 'publish',
};

/** Tokens by what they may do: one right, all but one, all, and none. */
const holders = new Map<string, readonly LabRight[]>([
  ...labRights.map((right): [string, LabRight[]] => [`only-${right}`, [right]]),
  ...labRights.map((right): [string, LabRight[]] => [`all-but-${right}`, labRights.filter((other) => other !== right)]),
  ['all', labRights],
  ['none', []],
]);

let ask: (action: string, token: string | null) => Promise<number>;
let services: ReadonlyMap<string, Service>;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  const stores = { metadata: openSqliteMetadata(directory), blobs: await openFolderBlobs(directory) };
  const scanner = scannerHere(() => expect.fail('there is nothing to scan with'), usualScanLimits);
  const rules = ruleEditor(stores, new PackagePassword(null), scanner, usualScanLimits.fileBytes);
  services = new Map([
    ['/repository/api.php', repositoryService(stores, usualFormLimits)],
    ['/rules/api.php', rules.service],
  ]);
  const issued = [...holders].map(([name, rights]) => ({ name, sha256: tokenDigest(name), rights: [...rights] }));
  const session = { token: 'the-desk-that-started-it', rights: labRights };
  const lab = await serveLab({
    port: 0,
    services,
    linkAt: rules.linkAt,
    callerOf: createCallerOf(storeOf(issued), session),
    report: () => {},
  });
  ends.push(
    () => lab.close(0),
    () => scanner.close(),
    () => stores.blobs.close(),
    () => stores.metadata.close(),
    () => rm(directory, { recursive: true }),
  );
  ask = async (action, token) => {
    const [path = '', service] = [...services].find(([, actions]) => actions.has(action)) ?? [];
    const query = new URLSearchParams({ action, ...(token === null ? {} : { token }) }).toString();
    const { status } = await fetch(`http://127.0.0.1:${lab.port}${path}?${query}`, {
      method: service?.get(action)?.method ?? '',
    });
    return status;
  };
});
afterAll(async () => {
  for (const end of ends) await end();
});

test('the rights table lists every action, and no other', () => {
  expect([...services.values()].flatMap((service) => [...service.keys()]).toSorted()).toEqual(
    Object.keys(rightOf).toSorted(),
  );
});

test.each(Object.entries(rightOf))(
  '%s requires the right %s: a token with it is accepted, one without it is refused',
  async (action, right) => {
    for (const [token, rights] of holders) {
      const status = await ask(action, token);
      // Further in, the action reports what the request lacks.
      expect([token, status === 403 || status === 401 ? status : 'let in']).toEqual([
        token,
        rights.includes(right) ? 'let in' : 403,
      ]);
    }
  },
);

test.each(Object.keys(rightOf))(
  '%s is refused without a token, with an unknown token, a stored digest or the name of a token',
  async (action) => {
    expect(await ask(action, null)).toBe(401);
    for (const token of ['', 'x', tokenDigest('all'), 'ALL', 'all ', 'all\0', 'vitrine', '__proto__'])
      expect([token, await ask(action, token)]).toEqual([token, 401]);
  },
);

test('the Vitrine that started the lab has every right while it runs', async () => {
  const statuses = await Promise.all(Object.keys(rightOf).map((action) => ask(action, 'the-desk-that-started-it')));
  expect(statuses.filter((status) => status === 401 || status === 403)).toEqual([]);
});
