import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { root } from './paths.ts';

const { bin } = z
  .object({ bin: z.object({ vitrine: z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-command-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.skipIf(process.platform === 'win32')(
  'the command of package.json runs through a symlink and resolves paths from the current folder',
  { timeout: 60_000 },
  () => {
    const folder = newFolder();
    accessSync(join(root, bin.vitrine), constants.X_OK);
    symlinkSync(join(root, bin.vitrine), join(folder, 'vitrine'));
    mkdirSync(join(folder, 'here'));
    writeFileSync(join(folder, 'here', 'list.txt'), '44d88612fea8a8f36de82e1278abb02f\n');
    const ran = spawnSync(join(folder, 'vitrine'), ['hashes', 'list.txt', '--quiet'], {
      cwd: join(folder, 'here'),
      encoding: 'utf8',
      // As in a script of npm that changed folder.
      env: { ...process.env, INIT_CWD: tmpdir() },
    });
    expect(ran).toMatchObject({ stderr: '', status: 0, stdout: expect.stringContaining('44d88612fea8a8f36de82e12') });
  },
);

test.skipIf(process.platform === 'win32')(
  'the command of package.json returns the exit code of the command line',
  { timeout: 60_000 },
  () => {
    const folder = newFolder();
    symlinkSync(join(root, bin.vitrine), join(folder, 'vitrine'));
    expect(spawnSync(join(folder, 'vitrine'), ['jurnal'], { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('did you mean "journal"?'),
    });
  },
);
