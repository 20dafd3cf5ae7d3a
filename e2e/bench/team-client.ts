import { createCipheriv, createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * A client of a lab with connections that it keeps, so many requests at once, in a process of its own:
 *
 * - `team-client.ts upload URL COUNT AT_ONCE BYTES`: uploads unknown samples of so many bytes to the repository at URL
 * - `team-client.ts getfile URL COUNT AT_ONCE SAMPLES`: the records of generated samples, whose number is a random one
 *
 * Prints `{"seconds"}` and ends; with 1, and the reply, when the lab refuses one.
 */
const [kind = '', url = '', count = '', atOnce = '', size = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) });
const boundary = 'a-boundary-that-no-sample-has';
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="files[]"; filename="sample.bin"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n',
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
const pieceBytes = 1024 * 1024;
const zeros = Buffer.alloc(pieceBytes);

async function upload(): Promise<void> {
  const sizeBytes = Number(size);
  const noise = createCipheriv('aes-256-ctr', randomBytes(32), randomBytes(16));
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + sizeBytes + tail.length,
    },
  });
  const answer = answerOf(sent);
  if (sizeBytes <= pieceBytes) sent.end(Buffer.concat([head, noise.update(zeros.subarray(0, sizeBytes)), tail]));
  else {
    sent.write(head);
    for (let left = sizeBytes; left > 0; left -= pieceBytes)
      if (!sent.write(noise.update(zeros.subarray(0, left)))) await once(sent, 'drain');
    sent.end(tail);
  }
  requireText(await answer, '"sha256"');
}

async function getFile(): Promise<void> {
  const md5 = createHash('md5')
    .update(String(randomInt(1, Number(size) + 1)))
    .digest('hex');
  const sent = request(`${url}&hash=${md5}`, { agent });
  sent.end();
  requireText(await answerOf(sent), md5);
}

async function answerOf(sent: ClientRequest): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.once('response', resolve).once('error', reject);
  return text(await promise);
}

function requireText(answer: string, words: string): void {
  if (!answer.includes(words)) throw new Error(`the lab answered: ${answer}`);
}

async function workThrough(numbers: Iterator<number>, work: () => Promise<void>): Promise<void> {
  while (numbers.next().done !== true) await work();
}

const numbers = Array.from({ length: Number(count) }, (_, number) => number).values();
const work = kind === 'upload' ? upload : getFile;
const begun = performance.now();
await Promise.all(Array.from({ length: Number(atOnce) }, () => workThrough(numbers, work)));
process.stdout.write(`${JSON.stringify({ seconds: (performance.now() - begun) / 1000 })}\n`);
agent.destroy();
