import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasonSentence } from '../../../shared/domain/hash-extraction.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { type MemoryHost, runInMemory } from '../memory-run.fixture.ts';

const [md5, sha1, sha256] = [
  '44d88612fea8a8f36de82e1278abb02f',
  '3395856ce81f2b7382dee72602f798b642f14140',
  '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
];
const run = (args: readonly string[], host: Partial<MemoryHost> = {}) =>
  runInMemory(['hashes', ...args], () => ({ answers: {}, ...host }));

async function fileOf(...contents: readonly (string | Uint8Array)[]): Promise<string[]> {
  const folder = temporaryFolder();
  return Promise.all(
    contents.map(async (content, at) => {
      const path = join(folder, `${at}.txt`);
      await writeFile(path, content);
      return path;
    }),
  );
}

test('hashes prints each hash once with its line, then the rejected strings with reasons', async () => {
  const text =
    `see ${md5}\n${sha256.slice(0, 40)}=\n${sha256.slice(40)} and ${md5}\n0x${sha1}\n\nin ${sha1.slice(0, 32)}\n` +
    `${md5} too\n`;
  const { code, lines, said, asked } = await run([], { input: text });
  expect(lines.join('\n').split('\n')).toEqual([
    `md5\t${md5}\t1\t-\t-`,
    `sha256\t${sha256}\t2\t-\t-`,
    `rejected\t0x${sha1}\t4\t-\t${reasonSentence({ kind: 'no-file-hash', name: 'wallet' })}`,
    `uncertain\t${sha1.slice(0, 32)} ${md5}\t6\t-\t${reasonSentence({ kind: 'unsure-wrap', lengths: [32, 32] })}`,
  ]);
  expect([code, said, asked]).toEqual([0, ['2 hashes, 1 repeated, 2 rejected or uncertain'], []]);
});

test('hashes as JSON has a value for each hash and each rejected string', async () => {
  const { json } = await run(['-', '--json'], { input: `${sha1}\nimphash: ${md5}\n` });
  expect(json).toEqual([
    { kind: 'sha1', value: sha1, line: 1, file: '-' },
    {
      rejected: md5,
      reason: { kind: 'other-hash', length: 32, name: 'imphash' },
      why: 'imphash: samples are looked up by MD5, SHA-1 or SHA-256',
      line: 2,
      file: '-',
    },
  ]);
});

test('hashes shows a name on one line, even if it is not UTF-8', async () => {
  const [path = ''] = await fileOf('');
  const [named, raw] = [`${path}\nmd5\t${md5}\t1\t-\t-`, Buffer.concat([Buffer.from(path), Buffer.of(0xff, 0x82)])];
  await writeFile(named, sha1);
  await writeFile(raw, md5);
  const { lines, said } = await run([named, raw.toString(), path]);
  expect(lines.join('\n').split('\n')).toEqual([
    `sha1\t${sha1}\t1\t${path}\\u000amd5\\u0009${md5}\\u00091\\u0009-\\u0009-\t-`,
    `md5\t${md5}\t1\t${path}\\xff\\x82\t-`,
  ]);
  expect(said).toEqual(['2 hashes, 0 repeated, 0 rejected or uncertain']);
  expect((await run(['-'], { input: md5 })).said).toEqual(['1 hash, 0 repeated, 0 rejected or uncertain']);
});

test('hashes decodes and names several files, and an unreadable one does not stop the others', async () => {
  const wide = Buffer.from(`\nMD5: ${md5}\r\n`, 'utf16le').swap16();
  const [first = '', second = ''] = await fileOf(wide, `caf\u00e9 ${sha1}`);
  const { code, lines, said } = await run([first, '/nowhere/list.txt', second]);
  expect(lines).toEqual([`md5\t${md5}\t2\t${first}\t-`, `sha1\t${sha1}\t1\t${second}\t-`]);
  expect([code, said[0]]).toEqual([3, '/nowhere/list.txt does not exist.']);
});

test('hashes refuses a folder and ends with 3 for a text without a hash', async () => {
  expect(await run([tmpdir()])).toMatchObject({
    code: 3,
    lines: [],
    said: [`${tmpdir()} is a folder.`, expect.anything()],
  });
  expect(await run([], { input: 'nothing' })).toMatchObject({ code: 3, lines: [], json: [] });
});

test('hashes reads a file of several megabytes completely, wherever it is split', async () => {
  const count = 20_000;
  const values = Array.from({ length: count }, (_, at) =>
    (BigInt(at + 1) * 0x9e3779b97f4a7c15f39cc0605cedc834n).toString(16).padStart(64, '1a').slice(0, 64),
  );
  const text = values
    .map((value, at) => (at % 3 === 0 ? `${value.slice(0, 50)}-\n${value.slice(50)} .` : `name ${at} ${value} \u00fc`))
    .join('\n');
  const [path = ''] = await fileOf(text);
  const { json, code } = await run([path, '--json']);
  expect(code).toBe(0);
  expect(json.map((one) => (typeof one === 'object' && one !== null && 'value' in one ? one.value : one))).toEqual(
    values,
  );
});
