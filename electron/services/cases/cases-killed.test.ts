import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { createTestCases } from './cases.fixture.ts';

const program = fileURLToPath(new URL('./killed-case.fixture.ts', import.meta.url));

test('a program killed midway through a case leaves nothing of it after the next start', async () => {
  const base = temporaryFolder();
  const [, signal] = await once(spawn(execPath, [program, base], { stdio: 'inherit' }), 'exit');
  expect(signal).toBe('SIGKILL');
  expect(await readdir(join(base, 'exports'))).toEqual([expect.stringMatching(/^\.vitrine-[0-9a-f]{12}-job-1\.part$/)]);
  const ofOtherInstallation = unfinishedNameOf('another desk', 1);
  for (const theirs of ['theirs', ofOtherInstallation]) await writeFile(join(base, 'exports', theirs), '');

  const setup = await createTestCases(base);
  setup.jobs.start();
  await vi.waitFor(
    () =>
      expect(setup.jobs.get(1)).toMatchObject({
        state: 'done',
        counts: { failed: 3 },
        notices: [{ kind: 'interrupted' }],
      }),
    { timeout: 20_000 },
  );
  expect(await readdir(setup.folder)).toEqual([ofOtherInstallation, 'theirs']);
  await setup.close();
});
