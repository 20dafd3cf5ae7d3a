import { rm, truncate } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DamageNotes } from './damage-notes.ts';
import {
  createTestBulkDownloads,
  repositoryOf,
  samplesNamed,
  sha256Of,
} from './downloads/bulk/bulk-downloads.fixture.ts';
import { createTestScans } from './scans/scans.fixture.ts';

test('a hunt that cannot read a sample marks it as missing in the library', async () => {
  const setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' });
  onTestFinished(() => setup.close());
  const damage = new DamageNotes(setup.stores.library);
  setup.vault.onDamage((sha256, how) => damage.note(sha256, how));
  const [gone = '', there = ''] = await setup.keep('a sample that goes', 'a sample that stays');
  await rm(setup.vault.sourceOf(gone).path);
  await setup.install('rule finds_all { condition: true }');
  expect(await setup.hunt({ kind: 'all' })).toMatchObject({ counts: { done: 1, failed: 1 } });
  expect([gone, there].map((sha256) => setup.stores.library.sample(sha256)?.row.vault)).toEqual(['missing', 'held']);
});

test('a bulk download fetches a sample with altered bytes again and then holds it', async () => {
  const samples = samplesNamed('one', 'two');
  const [one = '', two = ''] = samples.keys();
  const setup = await createTestBulkDownloads(repositoryOf(samples));
  const damage = new DamageNotes(setup.stores.library);
  setup.vault.onDamage((sha256, how) => damage.note(sha256, how));
  await setup.download([one, two]);
  const altered = sha256Of(samples.get(one) ?? Buffer.alloc(0));
  await truncate(setup.vault.sourceOf(altered).packed?.path ?? '', 20);
  await expect(setup.vault.openAt(altered)).rejects.toMatchObject({ failure: { kind: 'vault-damaged' } });
  expect(setup.stores.library.sample(altered)?.row.vault).toBe('altered');
  const job = await setup.download([altered]);
  expect(job.counts).toMatchObject({ done: 1, 'already-here': 0 });
  expect(setup.stores.library.sample(altered)?.row.vault).toBe('held');
  expect(await setup.vault.hashesOf(altered)).toMatchObject({ md5: one });
});
