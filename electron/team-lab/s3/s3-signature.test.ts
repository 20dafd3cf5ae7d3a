import { AwsV4Signer } from 'aws4fetch';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { S3Signer } from './s3-signature.ts';

const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const key = fc.stringMatching(/^[\w.-]{1,20}$/).filter((part) => !/^\.{1,2}$/.test(part));
const word = fc.stringMatching(/^[a-z-]{1,12}$/);

test('a request has the signature that another library makes of it', async () => {
  const requests = fc.record({
    method: fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'HEAD'),
    parts: fc.array(key, { minLength: 1, maxLength: 4 }),
    query: fc.dictionary(word, fc.string({ unit: 'grapheme', maxLength: 12 }), { maxKeys: 4 }),
    headers: fc.dictionary(
      word.map((name) => `x-${name}`),
      fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/),
      { maxKeys: 3 },
    ),
    region: word,
    now: fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, parts, query, headers, region, now }) => {
      const path = `/${parts.join('/')}`;
      const own = { ...headers, range: 'bytes=0-1', 'content-md5': 'AA==' };
      const host = 's3.example.org:9000';
      const signer = new S3Signer(keys, region);
      const signed = signer.sign({ method, host, path, query, headers: own }, now);
      const other = await new AwsV4Signer({
        method,
        url: `https://${host}${signed.target}`,
        headers: own,
        service: 's3',
        region,
        datetime: signed.headers['x-amz-date'] ?? '',
        ...keys,
      }).sign();
      expect(signed.headers).toEqual(Object.fromEntries(other.headers));
      expect(signer.sign({ method, host, path, query, headers: own }, now)).toEqual(signed);
    }),
  );
});

test('a signature is of its day, also by a signer that signed on another one', () => {
  const request = { method: 'GET', host: 's3.example.org', path: '/bucket/key', query: {}, headers: {} };
  const [first, second] = [new Date('2026-11-30T23:59:59Z'), new Date('2026-12-01T00:00:00Z')];
  const signer = new S3Signer(keys, 'us-east-1');
  signer.sign(request, first);
  expect(signer.sign(request, second)).toEqual(new S3Signer(keys, 'us-east-1').sign(request, second));
});
