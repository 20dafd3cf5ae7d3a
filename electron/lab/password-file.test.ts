import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readPasswordFile } from './readable-file.ts';
import { ended, labCommand, labCommandHere, startLabCommand, withDirectory } from './running-lab.fixture.ts';

const passwordIn = (bytes: string | Uint8Array): Promise<string> =>
  withDirectory(async (directory) => {
    await writeFile(join(directory, 'password'), bytes);
    return readPasswordFile(join(directory, 'password'));
  });

test.each([
  ['infected', 'infected'],
  ['two words \n', 'two words '],
  ['first\r\nsecond\r\n', 'first'],
  ['\ufeffзараза 🦠\n', 'зараза 🦠'],
  ['x'.repeat(128), 'x'.repeat(128)],
  [`a\n${'x'.repeat(100_000)}`, 'a'],
])('the password file gives the first line of %j as the password', async (text, password) => {
  expect(await passwordIn(text)).toBe(password);
});

test.each([
  ['nothing', ''],
  ['an empty first line', '\ninfected'],
  ['a line that is too long', 'x'.repeat(129)],
  ['a line without end', 'x'.repeat(100_000)],
  ['no text', new Uint8Array([0xff, 0xfe, 0x61])],
])('the password file is refused with %s', async (_title, bytes) => {
  await expect(passwordIn(bytes)).rejects.toThrow(/^The first line of the password file must be/);
});

test.skipIf(platform === 'win32')('the password file may be a pipe, which need not end after the line', async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => pipe.close());
    await pipe.write('infected\n');
    expect(await readPasswordFile(path)).toBe('infected');
  });
});

test('a lab encrypts with the password file from its start and does not print the password', async () => {
  await withDirectory(async (directory) => {
    await writeFile(join(directory, 'password'), 'glass case 7\n');
    const data = join(directory, 'data');
    await mkdir(data);
    const token = (await labCommandHere('token', 'add', '--rights', 'read,download', '--data', data)).trim();
    const lab = startLabCommand('--port', '0', '--data', data, '--package-password-file', join(directory, 'password'));
    let printed = '';
    for (const stream of [lab.stdout, lab.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await once(lab.stdout ?? lab, 'data');
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
    const ask = (query: string) => fetch(`${origin}/rules/api.php?${query}&token=${token}`);
    const { id } = z.object({ id: z.string() }).parse(await (await ask('action=checkpackageversion&version=0')).json());
    const zip = Buffer.from(await (await ask(`action=downloadpublication&encrypted=true&id=${id}`)).arrayBuffer());
    // The first entry is marked as encrypted.
    expect([zip.readUInt32LE(0), zip.readUInt16LE(6) & 1]).toEqual([0x04034b50, 1]);
    await ended(lab, () => lab.kill('SIGINT'));
    expect(printed).not.toContain('glass case 7');
  });
});

test('the lab reports an unreadable password file in one clear line', async () => {
  await withDirectory(async (directory) => {
    const result = await labCommand(
      '--port',
      '0',
      '--data',
      join(directory, 'data'),
      '--package-password-file',
      join(directory, 'gone'),
    );
    expect(result).toEqual({
      code: 1,
      results: '',
      remarks: expect.stringMatching(/^[^\n]*gone cannot be read \(ENOENT\)\.\n$/),
    });
  });
});
