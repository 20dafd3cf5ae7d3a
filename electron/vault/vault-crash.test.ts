import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { longAfter } from '../../shared/testing/long-after.ts';
import { canMountDisks, smallDisk } from '../base/small-disk.fixture.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { addAll, adding, committed, failing, large, newVault, openedIn, sha256Of, small } from './batch.fixture.ts';
import { collected } from './eicar.fixture.ts';
import { PackIndexFile } from './packs/pack-index.fixture.ts';
import { openVault, type Vault } from './vault.ts';

async function soundNames(vault: Vault): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const sha256 of vault.list()) {
    expect(sha256Of(await collected(vault.read(sha256)))).toBe(sha256);
    names.add(sha256);
  }
  return names;
}

/**
 * Lets a program that commits one batch after the other run until so many were committed, and kills it then and there.
 */
async function killedAfter(place: string, commits: number): Promise<string[]> {
  const child = spawn(
    execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'committing.fixture.ts'), place],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const reported: string[] = [];
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    reported.push(...line.split(' '));
    lines += 1;
    if (lines === commits) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return reported;
}

for (const { tags, cases } of longAfter(1, [[[5]], [[1, 5]]]))
  test.each(cases)(
    'a program killed midway keeps every commit and no partial rest: after %j commits',
    { tags },
    async (moments) => {
      const place = temporaryFolder();
      for (const commits of moments) {
        const reported = await killedAfter(place, commits);
        const { vault, index, folder } = await openedIn(place);
        const names = await soundNames(vault);
        expect(reported.filter((sha256) => !names.has(sha256))).toEqual([]);
        expect(await readdir(join(folder, 'incoming'))).toEqual([]);
        for (const pack of await readdir(join(folder, 'packs')))
          expect((await stat(join(folder, 'packs', pack))).size).toBe(index.endOf(pack));
        await vault.close();
      }
    },
  );

test('bytes behind the last known sample of a pack are cut off, and unknown packs are removed', async () => {
  const place = temporaryFolder();
  const { vault, index, folder } = await openedIn(place);
  const bytes = small();
  await committed(vault, [bytes]);
  await vault.close();
  const { pack } = index.place(sha256Of(bytes)) ?? expect.fail('not in a pack');
  await appendFile(join(folder, 'packs', pack), 'left by a crash');
  await writeFile(join(folder, 'packs', `${'0a'.repeat(16)}.pack`), 'unknown');
  await writeFile(join(folder, 'packs', `${'0b'.repeat(16)}.part`), 'never known');
  await writeFile(join(folder, 'packs', 'notes.txt'), 'theirs');
  const again = await openedIn(place);
  expect((await readdir(join(folder, 'packs'))).toSorted()).toEqual([pack, 'notes.txt'].toSorted());
  expect((await stat(join(folder, 'packs', pack))).size).toBe(index.endOf(pack));
  expect(await soundNames(again.vault)).toEqual(new Set([sha256Of(bytes)]));
});

test('a pack that is shorter than recorded gets no more samples', async () => {
  const place = temporaryFolder();
  const { vault, index, folder } = await openedIn(place);
  const [lost, next] = [small(), small()];
  await committed(vault, [lost]);
  await vault.close();
  const { pack } = index.place(sha256Of(lost)) ?? expect.fail('not in a pack');
  await writeFile(join(folder, 'packs', pack), 'cut');
  const again = await openedIn(place);
  await committed(again.vault, [next]);
  expect(again.index.place(sha256Of(next))?.pack).not.toBe(pack);
});

test('a disk that fails a pack fails its commits for good, and the next samples use another pack', async () => {
  const { vault, folder } = await newVault();
  const batch = vault.batch();
  const [lost, kept] = [small(), small()];
  await adding(batch, lost);
  const [unpublished = ''] = await readdir(join(folder, 'packs'));
  // The rename that publishes the pack cannot succeed over a folder.
  await mkdir(join(folder, 'packs', unpublished.replace('.part', '.pack'), 'in the way'), { recursive: true });
  await expect(batch.commit(() => {})).rejects.toMatchObject({ failure: { kind: 'disk-failed', path: folder } });
  await adding(batch, kept);
  await batch.commit(() => {});
  expect(await soundNames(vault)).toEqual(new Set([sha256Of(kept)]));
});

// Without the right to mount there is no disk to fill; the title shows in the report that this was not tested.
describe.skipIf(!canMountDisks)('a full disk (needs root on Linux, to mount a small one)', () => {
  test.each([
    ['small', small, 200],
    ['large', large, 8],
  ])('during %s samples keeps what was committed, and storage resumes when there is space', async (_, make, count) => {
    const disk = smallDisk('2m');
    const index = new PackIndexFile(join(temporaryFolder(), 'index.json'));
    const vault = await openVault(disk, index);
    onTestFinished(() => vault.close());
    const ballast = join(disk, 'ballast');
    await writeFile(ballast, Buffer.alloc(800_000));
    const first = make();
    await committed(vault, [first]);

    const batch = vault.batch();
    const more = Array.from({ length: count * 2 }, make);
    const answers = await Promise.allSettled(more.map((bytes) => adding(batch, bytes)));
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expect(answer).toMatchObject({ reason: failing('disk-full', { path: disk }) });
    expect(await soundNames(vault)).toEqual(new Set([sha256Of(first)]));
    await batch.abort();

    await writeFile(ballast, '');
    const last = Array.from({ length: count / 4 }, make);
    const next = vault.batch();
    await addAll(next, last);
    await next.commit(() => {});
    expect(await soundNames(vault)).toEqual(new Set([first, ...last].map(sha256Of)));
  });
});
