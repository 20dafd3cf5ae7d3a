import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';

/** `node static-server.ts FILE`: answers every GET on any path of 127.0.0.1 with that file, and nothing else. */
const [path = ''] = process.argv.slice(2);
const { size } = statSync(path);

const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
  // A client that goes away in the middle ends its own reply and not the server.
  pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), response, () => request.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  process.stdout.write(`listening on ${address.port}\n`);
});
