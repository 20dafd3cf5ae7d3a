import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sampleFiles } from './sample-files.ts';
import { noise, officeDocument, png } from './sample-file-bytes.ts';
import { sampleFileList } from './stock.ts';

test('the sample files are the same on every machine', () => {
  const all = createHash('sha256');
  for (const { make } of sampleFiles) all.update(make());
  expect(all.digest('hex')).toBe('d34dcf6f6fe0d3112fea2f8bed51d071f97f8bc9e3dda6aedeb6f7cd7799d1d1');
});

test('each sample file is identified by the MD5 and size of its bytes', () => {
  const made = sampleFiles.map(({ name, make }) => ({
    md5: createHash('md5').update(make()).digest('hex'),
    name,
    sizeBytes: make().length,
  }));
  expect(sampleFileList()).toEqual(made);
});

test('the lab has a dozen sample files, each with its own bytes', () => {
  const list = sampleFileList();
  expect(list.length).toBeGreaterThanOrEqual(12);
  expect(new Set(list.map(({ md5 }) => md5)).size).toBe(list.length);
});

test('the antivirus test file is the real one', () => {
  expect(sampleFileList()[0]).toEqual({ md5: '44d88612fea8a8f36de82e1278abb02f', name: 'eicar.com', sizeBytes: 68 });
});

test('no tag holds a comma, because tags are sent joined by commas', () => {
  expect(
    sampleFiles.flatMap(({ tags }) => tags).filter((tag) => tag !== tag.toLowerCase() || /[,\s]/.test(tag)),
  ).toEqual([]);
});

test('one name has 300 characters and one reverses the reading direction', () => {
  expect(Math.max(...sampleFiles.map(({ name }) => [...name].length))).toBe(300);
  expect(sampleFiles.filter(({ name }) => name.includes('\u202e'))).toHaveLength(1);
});

test('containers have their format: a PNG signature, and a ZIP whose directory is where its end points', () => {
  expect(png().subarray(1, 4).toString('latin1')).toBe('PNG');
  const zip = officeDocument();
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x06054b50);
  expect(zip.readUInt32LE(zip.readUInt32LE(end + 16))).toBe(0x02014b50);
  expect(zip.readUInt32LE(end + 16) + zip.readUInt32LE(end + 12)).toBe(end);
});

test.each([1, 135, 136, 137, 4096, 1024 * 1024 + 17])(
  'noise of %i bytes is SHAKE256 as OpenSSL computes it',
  (sizeBytes) => {
    const expected = createHash('shake256', { outputLength: sizeBytes }).update('vitrine specimen: any seed').digest();
    expect(noise('any seed', sizeBytes).equals(expected)).toBe(true);
  },
);
