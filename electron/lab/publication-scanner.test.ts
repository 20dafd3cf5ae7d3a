import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { storePackage } from './package-archive.ts';
import { PublicationScanner, scanReply } from './publication-scanner.ts';
import type { LabStores } from './stores/blob-store.ts';
import { openFolderStores } from './stores/folder/folder-stores.ts';

async function openStores(): Promise<LabStores> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  const stores = await openFolderStores(directory);
  onTestFinished(async () => {
    await stores.close();
    await rm(directory, { recursive: true, force: true });
  });
  return stores;
}

/** Published as it is, whether it compiles or not. @returns the reply to a scan */
async function scannedWith(texts: Readonly<Record<string, string>>, sample: string): Promise<unknown> {
  const stores = await openStores();
  const files = Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  await storePackage(stores, {
    version: '1',
    group: 'Release',
    published: '2026-01-01T00:00:00.000Z',
    rules: 4,
    files,
  });
  const [publication = expect.fail('nothing is published')] = await stores.metadata.publications();
  const scanner = await PublicationScanner.open(stores.blobs, publication, {
    workers: 1,
    fileSeconds: 20,
    signal: new AbortController().signal,
  });
  onTestFinished(() => scanner.close());
  return scanReply(publication, await scanner.scan({ name: 'a', bytes: Buffer.from(sample) }));
}

test('the publication scanner reports two rules of one name by name, and later ones with their file', async () => {
  const same = 'rule same { strings: $a = "text" condition: $a }';
  expect(await scannedWith({ 'a.yar': same, 'b/c.yar': same }, 'text')).toMatchObject({
    matches: [
      { rule: 'same', namespace: 'b/c.yar' },
      { rule: 'same', namespace: 'default' },
    ],
  });
});

test('the publication scanner scans one namespace with the rules that compile and reports the rest', async () => {
  const texts = {
    'a.yar': 'rule helper { condition: true }',
    'b.yar': 'rule user { condition: helper }\nrule third { condition: user }',
  };
  expect(await scannedWith(texts, 'text')).toMatchObject({
    matches: [{ rule: 'helper' }],
    left_out: ['user', 'third'],
  });
});
