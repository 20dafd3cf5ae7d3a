import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { specimens } from './specimens.ts';
import { noise, officeDocument, png } from './specimen-bytes.ts';
import { specimenList } from './stock.ts';

test('the specimens are the same on every machine', () => {
  const all = createHash('sha256');
  for (const { make } of specimens) all.update(make());
  expect(all.digest('hex')).toBe('d34dcf6f6fe0d3112fea2f8bed51d071f97f8bc9e3dda6aedeb6f7cd7799d1d1');
});

test('each is told by the MD5 and the size of its bytes', () => {
  const made = specimens.map(({ name, make }) => ({
    md5: createHash('md5').update(make()).digest('hex'),
    name,
    sizeBytes: make().length,
  }));
  expect(specimenList()).toEqual(made);
});

test('there is a dozen and each has its own bytes', () => {
  const list = specimenList();
  expect(list.length).toBeGreaterThanOrEqual(12);
  expect(new Set(list.map(({ md5 }) => md5)).size).toBe(list.length);
});

test('the antivirus test file is the real one', () => {
  expect(specimenList()[0]).toEqual({ md5: '44d88612fea8a8f36de82e1278abb02f', name: 'eicar.com', sizeBytes: 68 });
});

test('no tag holds a comma, for they travel joined by commas', () => {
  expect(specimens.flatMap(({ tags }) => tags).filter((tag) => tag !== tag.toLowerCase() || /[,\s]/.test(tag))).toEqual(
    [],
  );
});

test('one name has 300 characters and one turns the reading direction', () => {
  expect(Math.max(...specimens.map(({ name }) => [...name].length))).toBe(300);
  expect(specimens.filter(({ name }) => name.includes('\u202e'))).toHaveLength(1);
});

test('containers are what they say: a PNG signature, and a ZIP whose directory lies where its end says', () => {
  expect(png().subarray(1, 4).toString('latin1')).toBe('PNG');
  const zip = officeDocument();
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x06054b50);
  expect(zip.readUInt32LE(zip.readUInt32LE(end + 16))).toBe(0x02014b50);
  expect(zip.readUInt32LE(end + 16) + zip.readUInt32LE(end + 12)).toBe(end);
});

test.each([1, 135, 136, 137, 4096, 1024 * 1024 + 17])(
  'noise is SHAKE256 as OpenSSL computes it when %i bytes are made',
  (sizeBytes) => {
    const expected = createHash('shake256', { outputLength: sizeBytes }).update('vitrine specimen: any seed').digest();
    expect(noise('any seed', sizeBytes).equals(expected)).toBe(true);
  },
);
