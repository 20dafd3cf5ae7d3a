import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { readS3Address, readS3Keys, S3AddressError, shownAddress } from './s3-address.ts';
import { childrenNamed, childText, readXml, requiredText, XmlError } from './s3-xml.ts';

test.for([
  ['s3://s3.example.org/samples', true, 's3.example.org', '', 'us-east-1'],
  ['s3://S3.example.org:9000/samples/', true, 's3.example.org:9000', '', 'us-east-1'],
  ['s3://s3.example.org:443/samples/lab/one?region=eu-1', true, 's3.example.org', 'lab/one/', 'eu-1'],
  ['s3+http://127.0.0.1:9000/samples/lab', false, '127.0.0.1:9000', 'lab/', 'us-east-1'],
  ['s3+http://[::1]:9000/samples', false, '[::1]:9000', '', 'us-east-1'],
] as const)('the address %s is read', ([text, isSecure, host, prefix, region]) => {
  const address = readS3Address(text);
  expect(address).toEqual({ isSecure, host, bucket: 'samples', prefix, region });
  expect(readS3Address(`${shownAddress(address)}?region=${region}`)).toEqual(address);
});

test.for([
  ['s3://id:secret@s3.example.org/samples', /keys/],
  ['s3://key-file@s3.example.org/samples', /VITRINE_LAB_S3_KEY_FILE/],
  ['s3://s3.example.org/a@b', /keys/],
  ['http://s3.example.org/samples', /s3:\/\/HOST/],
  ['s3://s3.example.org', /no bucket/],
  ['s3://s3.example.org/a', /no bucket/],
  ['s3://s3.example.org/samples//lab', /prefix/],
  ['s3://s3.example.org/samples/a%2Fb', /prefix/],
  ['s3://s3.example.org/samples?secret=abc', /parameter/],
  ['s3://s3.example.org/samples?region=a/b', /region/],
  ['s3://s3.example.org/samples#x', /parameter/],
  ['s3://:/samples', /s3:\/\/HOST/],
] as const)('the address %s is refused', ([text, reason]) => {
  expect(() => readS3Address(text)).toThrow(S3AddressError);
  expect(() => readS3Address(text)).toThrow(reason);
  expect(() => readS3Address(text)).not.toThrow(/secret@|abc/);
});

test('keys come from the file, else from the environment', () => {
  const path = join(temporaryFolder(), 'keys');
  writeFileSync(path, 'id-1\r\nsecret-1\n\n');
  const environment = { AWS_ACCESS_KEY_ID: 'id-2', AWS_SECRET_ACCESS_KEY: 'secret-2' };
  expect(readS3Keys({ ...environment, VITRINE_LAB_S3_KEY_FILE: path })).toEqual({
    accessKeyId: 'id-1',
    secretAccessKey: 'secret-1',
  });
  expect(readS3Keys({ ...environment, VITRINE_LAB_S3_KEY_FILE: '' })).toEqual({
    accessKeyId: 'id-2',
    secretAccessKey: 'secret-2',
  });
});

test('keys that are missing, half or unreadable are refused without what there is of them', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'keys');
  for (const environment of [
    {},
    { AWS_SECRET_ACCESS_KEY: 'the-secret' },
    { VITRINE_LAB_S3_KEY_FILE: join(folder, 'missing') },
    { VITRINE_LAB_S3_KEY_FILE: path },
  ]) {
    for (const content of ['', 'the-secret', 'a\nthe-secret\nb\n']) {
      writeFileSync(path, content);
      expect(() => readS3Keys(environment)).toThrow(/VITRINE_LAB_S3_KEY_FILE/);
      expect(() => readS3Keys(environment)).not.toThrow(/the-secret/);
    }
  }
});

test('elements, entities and attributes of a reply are read', () => {
  const root = readXml(`<?xml version="1.0" encoding="UTF-8"?>
    <List xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Entry a='1'><Key>a &amp;&#x41;&#66;&lt;</Key></Entry>
    <Entry><Key/></Entry><Prefix></Prefix><Message><![CDATA[<a> & ]b]]]></Message></List>`);
  expect(root.name).toBe('List');
  expect(childrenNamed(root, 'Entry').map((entry) => requiredText(entry, 'Key'))).toEqual(['a &AB<', '']);
  expect(childText(root, 'Prefix')).toBe('');
  expect(childText(root, 'Message')).toBe('<a> & ]b]');
  expect(childText(root, 'Missing')).toBeNull();
  expect(() => requiredText(root, 'Missing')).toThrow(XmlError);
});

test.for([
  '',
  'text',
  '<a>',
  '</a>',
  '<a></b>',
  '<a/><b/>',
  '<a>&unknown;</a>',
  '<a>&toString;</a>',
  '<a>&#x110000;</a>',
  '<a>a & b</a>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '<a><![CDATA[b]]</a>',
  `${'<a>'.repeat(30)}${'</a>'.repeat(30)}`,
  '<a/>text',
] as const)('the reply %s is refused', (source) => {
  expect(() => readXml(source)).toThrow(XmlError);
});

test('any text is one element or refused', () => {
  const pieces = fc.constantFrom(
    '<a>',
    '</a>',
    '<b/>',
    '<?xml?>',
    '&amp;',
    '&',
    '<',
    '>',
    'x',
    ' ',
    '<!--',
    ']]>',
    '"',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (some) => {
      try {
        expect(readXml(some.join('')).name).not.toBe('');
      } catch (error) {
        expect(error).toBeInstanceOf(XmlError);
      }
    }),
  );
});
