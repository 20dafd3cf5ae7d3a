import { rm, truncate } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DamageNotes } from './damage-notes.ts';
import { openBulkDesk, repositoryOf, samplesNamed, sha256Of } from './downloads/bulk/bulk-downloads.fixture.ts';
import { openScanDesk } from './scans/scans.fixture.ts';

test('a hunt that cannot read a sample makes the library say that it is missing', async () => {
  const desk = await openScanDesk({ baseUrl: 'http://127.0.0.1:9' });
  onTestFinished(() => desk.close());
  const damage = new DamageNotes(desk.stores.library);
  desk.vault.onDamage((sha256, how) => damage.note(sha256, how));
  const [gone = '', there = ''] = await desk.keep('a sample that goes', 'a sample that stays');
  await rm(desk.vault.sourceOf(gone).path);
  await desk.install('rule finds_all { condition: true }');
  expect(await desk.hunt({ kind: 'all' })).toMatchObject({ counts: { done: 1, failed: 1 } });
  expect([gone, there].map((sha256) => desk.stores.library.sample(sha256)?.row.vault)).toEqual(['missing', 'held']);
});

test('a bulk download fetches a sample again whose bytes were found altered, and then it is held', async () => {
  const samples = samplesNamed('one', 'two');
  const [one = '', two = ''] = samples.keys();
  const desk = await openBulkDesk(repositoryOf(samples));
  const damage = new DamageNotes(desk.stores.library);
  desk.vault.onDamage((sha256, how) => damage.note(sha256, how));
  await desk.download([one, two]);
  const altered = sha256Of(samples.get(one) ?? Buffer.alloc(0));
  await truncate(desk.vault.sourceOf(altered).packed?.path ?? '', 20);
  await expect(desk.vault.openAt(altered)).rejects.toMatchObject({ failure: { kind: 'vault-damaged' } });
  expect(desk.stores.library.sample(altered)?.row.vault).toBe('altered');
  const job = await desk.download([altered]);
  expect(job.counts).toMatchObject({ done: 1, 'already-here': 0 });
  expect(desk.stores.library.sample(altered)?.row.vault).toBe('held');
  expect(await desk.vault.hashesOf(altered)).toMatchObject({ md5: one });
});
