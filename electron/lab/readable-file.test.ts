import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { gathered } from './package-archive.ts';
import { readable, readableOrPiped, UnreadableFile } from './readable-file.ts';
import { withDirectory } from './running-lab.fixture.ts';

const most = 1024;
const hasPipes = platform !== 'win32';

test('the file reader reads a file, also through a link', async () => {
  await withDirectory(async (directory) => {
    await writeFile(join(directory, 'file'), 'bytes');
    await symlink(join(directory, 'file'), join(directory, 'link'));
    for (const name of ['file', 'link'])
      expect(await gathered(readable(join(directory, name)), most)).toEqual(Buffer.from('bytes'));
  });
});

test.skipIf(!hasPipes)('the file reader refuses a pipe, a folder and a device with a sentence, unread', async () => {
  await withDirectory(async (directory) => {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, directory, '/dev/null', '/dev/zero']) {
      const read = gathered(readable(path), most);
      await expect(read).rejects.toThrow(UnreadableFile);
      await expect(read).rejects.toThrow(`${path} is no file.`);
    }
    await expect(gathered(readableOrPiped('/dev/zero', 1), most)).rejects.toThrow('/dev/zero is no file.');
  });
});

test.skipIf(!hasPipes)('the file reader waits a limited time for a pipe, then reports the timeout', async () => {
  await withDirectory(async (directory) => {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const nothing = gathered(readableOrPiped(pipe, 1), most);
    await expect(nothing).rejects.toThrow(UnreadableFile);
    await expect(nothing).rejects.toThrow(/pipe is a pipe that did not end within 0\.001 seconds\.$/);
    const both = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => both.close());
    await both.write('bytes');
    const pieces = readableOrPiped(pipe, 60_000);
    expect((await pieces.next()).value).toEqual(Buffer.from('bytes'));
    await pieces.return();
  });
});
