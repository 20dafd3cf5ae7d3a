import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { FailureError } from '../../shared/failure.ts';
import { makeExportFolder } from './web-start.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'vitrine-exports-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function sentenceOf(folder: string): Promise<string> {
  const error: unknown = await makeExportFolder(folder).catch((reason: unknown) => reason);
  if (!(error instanceof FailureError)) throw new Error(`no failure: ${String(error)}`);
  const { what, then } = sentenceFor(error.failure);
  return `${what}. ${then}`;
}

test('the folder for exports is made where it is not there, and left as it is where it is', async () => {
  await makeExportFolder(join(base, 'new'));
  await writeFile(join(base, 'new', 'kept'), '');
  await makeExportFolder(join(base, 'new'));
  expect([await readdir(base), await readdir(join(base, 'new'))]).toEqual([['new'], ['kept']]);
});

test('a file in its place, and no folder to make it in, are sentences', async () => {
  await writeFile(join(base, 'file'), '');
  await mkdir(join(base, 'folder'));
  await symlink(join(base, 'gone'), join(base, 'link'), 'junction');
  for (const place of ['file', join('file', 'below'), 'link'])
    expect(await sentenceOf(join(base, place))).toBe(
      `Cannot write to this folder. ${join(base, place)} is not a folder, or is inside a file. Choose another one.`,
    );
  expect(await sentenceOf(join(base, 'not', 'there'))).toBe(
    `Cannot write to this folder. ${join(base, 'not', 'there')} does not exist, or its parent folder does not. ` +
      'Create it, or choose another one.',
  );
});
