import { randomBytes } from 'node:crypto';
import { open, rm, truncate } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { partsOfStrip } from '../../../shared/domain/byte-classes.ts';
import { committed, failing, identical, large, md5Of, newVault, sha256Of, small } from '../batch.fixture.ts';
import { SampleInspector } from './sample-inspector.ts';

const never = new AbortController().signal;

function newInspector(): SampleInspector {
  const inspector = new SampleInspector();
  onTestFinished(() => inspector.close());
  return inspector;
}

async function withFlippedByte(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+');
  const one = Buffer.alloc(1);
  await file.read(one, 0, 1, position);
  await file.write(Buffer.from([(one[0] ?? 0) ^ 1]), 0, 1, position);
  await file.close();
}

test('verification covers samples: sound, altered in a file and in a pack, cut off, gone, never there', async () => {
  const { vault } = await newVault();
  const samples = [small(), large(), small(), large(), large(), large()];
  await committed(vault, samples);
  const sources = vault.sourcesOf([...samples.map(sha256Of), sha256Of(Buffer.from('never'))]);
  const [, , packed, altered, cut, gone] = sources;
  await withFlippedByte(packed?.packed?.path ?? '', (packed?.packed?.at ?? 0) + 500);
  await withFlippedByte(altered?.path ?? '', 150_000);
  await truncate(cut?.path ?? '', 1000);
  await rm(gone?.path ?? '');
  expect(await newInspector().verify(sources, never)).toEqual([
    null,
    null,
    'damaged',
    'damaged',
    'damaged',
    'ENOENT',
    'ENOENT',
  ]);
});

test('a preview has type and strip of small, large and empty samples, or the reason why it has none', async () => {
  const { vault } = await newVault();
  const pe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300_000)]);
  const samples = [Buffer.from('%PDF-1.7 small'), pe, Buffer.alloc(0), Buffer.from('\0'.repeat(64), 'latin1')];
  await committed(vault, samples);
  const seen = await newInspector().inspect(
    vault.sourcesOf([...samples.map(sha256Of), sha256Of(Buffer.from('never'))]),
    never,
  );
  expect(seen.map((each) => ('reason' in each ? each.reason : each.type))).toEqual([
    'PDF',
    'MZ exe',
    null,
    'data',
    'ENOENT',
  ]);
  const strips = seen.flatMap((each) =>
    'reason' in each ? [] : [each.strip === null ? 0 : partsOfStrip(each.strip).length],
  );
  expect(strips).toEqual([14, 64, 0, 64]);
});

test('a stopped or closed inspection fails as cancelled, also in the middle of a sample', async () => {
  const { vault } = await newVault();
  const sample = randomBytes(40_000_000);
  const batch = vault.batch();
  await batch.add(identical(sample), { md5: md5Of(sample), sha256: null });
  await batch.commit(() => {});
  const inspector = newInspector();
  const stop = new AbortController();
  const verifying = inspector.verify(vault.sourcesOf([sha256Of(sample)]), stop.signal);
  stop.abort();
  await expect(verifying).rejects.toMatchObject(failing('cancelled'));
  const cutOff = inspector.verify(vault.sourcesOf([sha256Of(sample)]), never).catch((error: unknown) => error);
  await inspector.close();
  expect(await cutOff).toMatchObject(failing('cancelled'));
  await expect(inspector.inspect([], never)).rejects.toMatchObject(failing('cancelled'));
});

test('a damage listener receives the findings of a reading and nothing about sound samples', async () => {
  const { vault } = await newVault();
  const [sound, altered] = [large(), large()];
  await committed(vault, [sound, altered]);
  const heard: [string, string][] = [];
  vault.onDamage((sha256, damage) => heard.push([sha256, damage]));
  await withFlippedByte(vault.sourceOf(sha256Of(altered)).path, 150_000);
  const drain = async (sha256: string): Promise<void> => {
    for await (const piece of vault.read(sha256)) expect(piece.length).toBeGreaterThan(0);
  };
  await drain(sha256Of(sound));
  await expect(drain(sha256Of(altered))).rejects.toMatchObject(failing('vault-damaged'));
  await expect(vault.openAt(sha256Of(Buffer.from('never')))).rejects.toMatchObject(failing('not-in-vault'));
  vault.unreadable(sha256Of(sound), 'EIO');
  expect(heard).toEqual([
    [sha256Of(altered), 'altered'],
    [sha256Of(Buffer.from('never')), 'missing'],
  ]);
});
