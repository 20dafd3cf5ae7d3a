import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrokenServer, type Fault, startBrokenServer } from '../faults/broken-server.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { workIn } from '../workspace.ts';

const sample = new TextEncoder().encode('the bytes of a sample, long enough to be cut in the middle');

const useServer = (vitrine: Vitrine, { baseUrl }: BrokenServer): Promise<string> =>
  workIn(vitrine, { name: 'Team', repository: baseUrl, token: 'a-token-for-broken-servers' });

/** Names of the samples in the vault. */
async function vaulted({ dataDirectory }: Vitrine): Promise<string[]> {
  const names = await readdir(join(dataDirectory, 'vault'), { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}$/.test(name));
}

/** What goes wrong with a record, and the words a person reads. One server at a time plays them all. */
const recordFaults: [Fault, RegExp][] = [
  ['html-page', /sent a web page/],
  ['empty-reply', /Empty response/],
  ['invalid-json', /Unexpected response from the/],
  ['closes-half-way', /lost during the transfer/],
  ['redirect-to-installer', /redirected the request \(302\)/],
  ['redirect-to-login', /login\.example/],
  ['garbage-protocol', /Cannot reach the/],
];

test('a repository shows a message for each reply that is not a record, and works once it is repaired', async ({
  vitrine,
  lookup,
}) => {
  const server = await startBrokenServer({ faults: {}, sample });
  await useServer(vitrine, server);
  for (const [fault, words] of recordFaults) {
    server.setFault('getfile', fault);
    await lookup.ask(server.md5);
    await expect(lookup.alert, fault).toContainText(words);
    await expect(vitrine.page.getByText('a-token-for-broken-servers'), fault).toHaveCount(0);
  }
  server.setFault('getfile', null);
  await vitrine.page.getByRole('button', { name: 'Try again' }).click();
  await expect(lookup.sample('sample.bin')).toBeVisible();
  await test.step('a whole record behind a warning of the server is shown, and marked', async () => {
    server.setFault('getfile', 'text-before-json');
    await lookup.ask(server.md5);
    await expect(vitrine.page.getByText('This record came behind a server warning')).toBeVisible();
    await expect(lookup.sample('sample.bin')).toBeVisible();
  });
  await server.close();
});

const downloadFaults: [Fault, RegExp][] = [
  ['wrong-bytes', /bytes do not match the MD5/],
  ['too-short', /bytes do not match the MD5/],
  ['closes-half-way', /lost during the transfer/],
  ['html-page', /sent a web page/],
  ['redirect-to-installer', /redirected the request/],
];

test(
  'a download that is not exact shows a message and is not kept, and its retry is verified',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const server = await startBrokenServer({ faults: {}, sample });
    await useServer(vitrine, server);
    await lookup.ask(server.md5);
    await expect(lookup.sample('sample.bin')).toBeVisible();
    await test.step('one that only drips can be cancelled', async () => {
      server.setFault('downloadfile', 'silent-half-way');
      await vitrine.page.getByRole('button', { name: /^Download/ }).click();
      await vitrine.page.getByRole('button', { name: 'Cancel' }).click();
      await expect(vitrine.page.getByText(/^Download cancelled/)).toBeVisible();
      expect(await vaulted(vitrine)).toEqual([]);
    });
    for (const [fault, words] of downloadFaults) {
      server.setFault('downloadfile', fault);
      await vitrine.page
        .getByRole('button', { name: /^(Download|Try again)/ })
        .first()
        .click();
      await expect(lookup.alert, fault).toContainText(words);
      expect(await vaulted(vitrine), fault).toEqual([]);
    }
    server.setFault('downloadfile', 'stray-inside-length');
    await vitrine.page.getByRole('button', { name: 'Try again' }).click();
    await expect(lookup.inVault).toBeVisible();
    expect(await vaulted(vitrine)).toHaveLength(1);
    await server.close();
  },
);

test(
  'a record whose SHA-256 contradicts the bytes is named, and nothing is kept',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const server = await startBrokenServer({ faults: {}, sample, record: { sha256: '1'.repeat(64) } });
    await useServer(vitrine, server);
    await lookup.ask(server.md5);
    await vitrine.page.getByRole('button', { name: /^Download/ }).click();
    await expect(lookup.alert).toContainText('do not match the record’s SHA-256');
    expect(await vaulted(vitrine)).toEqual([]);
    await server.close();
  },
);
