import { mkdir, mkdtemp, realpath, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { requireUnwatched } from './folder-check.ts';

let base: string;
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'vitrine-watched-')));
  await mkdir(join(base, 'watched', 'deep'), { recursive: true });
  await mkdir(join(base, 'watched-not'));
  await symlink(join(base, 'watched'), join(base, 'link'));
});

test.each(['watched', 'watched/deep', 'link', 'link/deep', 'watched/not-yet'])(
  'an export into %s would be imported again',
  async (folder) => {
    const path = join(base, folder);
    await expect(requireUnwatched(path, join(base, 'watched'))).rejects.toMatchObject({
      failure: { kind: 'export-into-watched', path },
    });
  },
);

test.each(['watched-not', '.', 'nowhere/deep'])(
  '%s accepts exports, and any folder when none is watched',
  async (folder) => {
    await expect(requireUnwatched(join(base, folder), join(base, 'link'))).resolves.toBeUndefined();
    await expect(requireUnwatched(join(base, 'watched'), null)).resolves.toBeUndefined();
    await expect(requireUnwatched(join(base, 'watched'), join(base, 'gone'))).resolves.toBeUndefined();
  },
);
