import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { type ExportForm, exportForm } from '../../../shared/domain/job.ts';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { jobItems } from '../testing/job-items.fixture.ts';
import { createTestExports } from './exports.fixture.ts';

const program = fileURLToPath(new URL('./killed-export.fixture.ts', import.meta.url));

test('a program killed midway through one-zip leaves nothing of it after the next start', () =>
  expectNothingLeft('one-zip'));
test.each(exportForm.exclude(['one-zip']).options)(
  'a program killed midway through %s leaves nothing of it after the next start',
  { tags: ['long'] },
  (form) => expectNothingLeft(form),
);

async function expectNothingLeft(form: ExportForm): Promise<void> {
  const base = temporaryFolder();
  const [, signal] = await once(spawn(execPath, [program, base, form], { stdio: 'inherit' }), 'exit');
  expect(signal).toBe('SIGKILL');
  expect(await readdir(join(base, 'exports'))).toEqual([expect.stringMatching(/^\.vitrine-[0-9a-f]{12}-job-1\.part$/)]);
  const ofOtherInstallation = unfinishedNameOf('another desk', 1);
  for (const theirs of ['theirs', ofOtherInstallation]) await writeFile(join(base, 'exports', theirs), '');

  const setup = await createTestExports(base);
  setup.jobs.start();
  await vi.waitFor(() => expect(setup.jobs.get(1)).toMatchObject({ state: 'done', counts: { failed: 2 } }), {
    timeout: 20_000,
  });
  expect(await readdir(setup.folder)).toEqual([ofOtherInstallation, 'theirs']);
  expect(jobItems(setup.stores, 1)[0]?.failure).toEqual({ kind: 'interrupted' });
  await setup.close();
}
