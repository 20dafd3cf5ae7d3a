import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { filesUnder } from './eicar.fixture.ts';
import { newPackages, openedPackages, pathIn } from './packages.fixture.ts';
import { openPackages, type Packages } from './packages.ts';
import { inPieces } from './pieces.fixture.ts';

const limits = { atMostBytes: 1000 };
const store = async (packages: Packages, bytes: Uint8Array, workspaceId = 'lab'): Promise<string> =>
  (await packages.receive(workspaceId, inPieces(bytes), limits)).sha256;

test('an invalid workspace id or SHA-256 never becomes a path', async () => {
  const { packages, folder } = await newPackages();
  const sha256 = await store(packages, randomBytes(50));
  const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
  const ids = fc
    .oneof(text, fc.constantFrom('..', '.', '', '../lab', 'lab/', 'lab\0', 'LAB', '/etc'))
    .filter((id) => !/^[a-z0-9-]{1,64}$/.test(id));
  const names = fc
    .oneof(text, fc.constantFrom(`../lab/${sha256}`, sha256.toUpperCase(), `${sha256}\n`, ''))
    .filter((name) => name !== sha256);
  await fc.assert(
    fc.asyncProperty(ids, names, async (id, name) => {
      const asked = [
        { id, named: sha256 },
        { id: 'lab', named: name },
      ].flatMap((one) => [
        packages.check(one.id, one.named),
        packages.openAt(one.id, one.named),
        packages.remove(one.id, one.named),
      ]);
      const answers = await Promise.allSettled([
        ...asked,
        packages.receive(id, inPieces(randomBytes(5)), limits),
        packages.removeWorkspace(id),
      ]);
      expect(answers.filter((answer) => !(answer.status === 'rejected' && answer.reason instanceof ZodError))).toEqual(
        [],
      );
    }),
    { numRuns: 60 },
  );
  expect(await filesUnder(folder)).toEqual([pathIn(folder, sha256)]);
});

test('a workspace is removed with its packages, and with nothing of another workspace', async () => {
  const { packages, folder } = await newPackages();
  for (const id of ['lab', 'w-1', 'w-2']) await store(packages, randomBytes(50), id);
  await writeFile(join(folder, 'w-2', 'notes.txt'), 'theirs');
  await packages.removeWorkspace('w-1');
  await packages.removeWorkspace('w-2');
  expect((await readdir(folder)).toSorted()).toEqual(['lab', 'w-2']);
  expect(await readdir(join(folder, 'w-2'))).toEqual(['notes.txt']);
});

test('a sweep removes unknown files, and neither recent arrivals nor foreign files', async () => {
  const folder = temporaryFolder();
  const before = await openPackages(folder);
  const [known, unknown] = [await store(before, randomBytes(50)), await store(before, randomBytes(50))];
  await store(before, randomBytes(50), 'w-gone');
  await before.close();
  await mkdir(join(folder, 'Not Ours'));
  await writeFile(join(folder, 'Not Ours', known), 'theirs');
  await writeFile(join(folder, `${'0a'.repeat(16)}.part`), 'left by a crash');
  const packages = await openedPackages(folder);
  const arrived = await store(packages, randomBytes(50));
  const asked: string[] = [];
  await packages.sweep((workspaceId, sha256) => {
    asked.push(`${workspaceId} ${sha256}`);
    return sha256 === known;
  });
  expect(asked).toContain(`lab ${unknown}`);
  expect(await filesUnder(folder)).toEqual(
    [join(folder, 'Not Ours', known), pathIn(folder, known), pathIn(folder, arrived)].toSorted(),
  );
  expect((await readdir(folder)).toSorted()).toEqual(['Not Ours', 'lab']);
});
