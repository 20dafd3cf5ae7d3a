import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * `node record-server.ts`: answers `getfile` on any path of 127.0.0.1 after some milliseconds, as a service at some
 * distance does: with a record for every other MD5, without one for the rest, and with 404 for any other action.
 */
const answersAfterMs = 5;
const hashOf = (kind: string, of: string): string => createHash(kind).update(of).digest('hex');

function recordOf(md5: string): string {
  const sha256 = hashOf('sha256', md5);
  const number = Number.parseInt(md5.slice(0, 6), 16);
  return JSON.stringify({
    file: {
      md5,
      sha1: hashOf('sha1', md5),
      sha256,
      filename: `sample_${md5.slice(0, 10)}.exe`,
      size: 1000 + number,
      date: '2026-10-03 09:14:55',
      user_name: 'bench',
      threat: `Family${number % 400}`,
      criticity: String(1 + (number % 3)),
      mime: 'application/x-dosexec',
      tags: `family:f${number % 400},packed`,
      imphash: hashOf('md5', `imports ${number % 1000}`),
      comment: '',
    },
  });
}

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  const md5 = searchParams.get('hash') ?? '';
  const isKnown = /^[0-9a-f]{31}[02468ace]$/.test(md5);
  setTimeout(() => {
    if (searchParams.get('action') !== 'getfile') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(isKnown ? recordOf(md5) : '{"file":null}');
  }, answersAfterMs);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  process.stdout.write(`listening on ${address.port}\n`);
});
