import { expect, test } from 'vitest';
import { zipBy7z } from './encrypted-zip.ts';
import { isArchive, unpacked } from './unpacked-archive.ts';
import { zipOf } from './zip-items.ts';

const item = (name: string) => ({ name, bytes: Buffer.from(`bytes of ${name}`) });
const names = async (zip: Uint8Array) => (await unpacked(zip))?.map(({ name }) => name);

test('the unpacker recognises an archive by its name or its first bytes', async () => {
  const zip = await zipOf([item('a')]);
  expect([
    isArchive({ name: 'a.ZIP', bytes: Buffer.from('no') }),
    isArchive({ name: 'a.bin', bytes: zip }),
    isArchive({ name: 'zip', bytes: Buffer.from('no') }),
  ]).toEqual([true, true, false]);
});

test('the unpacker returns the members with their bytes and without their folders', async () => {
  const members = await unpacked(await zipOf([item('folder/one.bin'), item('two.bin')]));
  expect(members?.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
    ['one.bin', 'bytes of folder/one.bin'],
    ['two.bin', 'bytes of two.bin'],
  ]);
});

test('the unpacker returns 25 members and drops the rest', async () => {
  const all = Array.from({ length: 30 }, (_, index) => `${index}.bin`);
  expect(await names(await zipOf(all.map(item)))).toEqual(all.slice(0, 25));
});

test.each([
  ['zipcrypto', 'infected', 1],
  ['aes-256', 'malware', 1],
  ['zipcrypto', 'virus', 1],
  ['aes-256', 'another', 0],
] as const)('the unpacker, for %s with "%s", returns %i of one member', async (encryption, password, count) => {
  expect(await names(await zipBy7z([item('a.bin')], { encryption, password }))).toHaveLength(count);
});

test('the unpacker returns no members for a file that is not a ZIP', async () => {
  expect(await unpacked(Buffer.from('PK\x03\x04 and nothing else'))).toBeNull();
});
