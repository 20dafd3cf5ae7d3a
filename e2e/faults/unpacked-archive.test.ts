import { expect, test } from 'vitest';
import { zipBy7z } from './encrypted-zip.ts';
import { isArchive, unpacked } from './unpacked-archive.ts';
import { zipOf } from './zip-items.ts';

const item = (name: string) => ({ name, bytes: Buffer.from(`bytes of ${name}`) });
const names = async (zip: Uint8Array) => (await unpacked(zip))?.map(({ name }) => name);

test('an archive is one by its name or by its first bytes', async () => {
  const zip = await zipOf([item('a')]);
  expect([
    isArchive({ name: 'a.ZIP', bytes: Buffer.from('no') }),
    isArchive({ name: 'a.bin', bytes: zip }),
    isArchive({ name: 'zip', bytes: Buffer.from('no') }),
  ]).toEqual([true, true, false]);
});

test('its members come with their bytes and without their folders', async () => {
  const members = await unpacked(await zipOf([item('folder/one.bin'), item('two.bin')]));
  expect(members?.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
    ['one.bin', 'bytes of folder/one.bin'],
    ['two.bin', 'bytes of two.bin'],
  ]);
});

test('25 members, and the rest is lost', async () => {
  const all = Array.from({ length: 30 }, (_, index) => `${index}.bin`);
  expect(await names(await zipOf(all.map(item)))).toEqual(all.slice(0, 25));
});

test.each([
  ['zipcrypto', 'infected', 1],
  ['aes-256', 'malware', 1],
  ['zipcrypto', 'virus', 1],
  ['aes-256', 'another', 0],
] as const)('%s with "%s": %i of one', async (encryption, password, count) => {
  expect(await names(await zipBy7z([item('a.bin')], { encryption, password }))).toHaveLength(count);
});

test('what is no ZIP has no members at all', async () => {
  expect(await unpacked(Buffer.from('PK\x03\x04 and nothing else'))).toBeNull();
});
