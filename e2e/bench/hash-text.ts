import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const words = (
  'the host reported a process that wrote several files into its folder and sent an attachment over the network ' +
  'to another server'
).split(' ');
const hashNames = ['md5', 'sha1', 'sha256'] as const;
const blockBytes = 4 * 1024 * 1024;

/**
 * Writes a text of prose, log lines, CSV and JSON, of which two lines in five have a hash and one in ten has a
 * character beyond ASCII: `bytes` long, always the same. No hash comes twice.
 */
export async function writeHashText(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w');
  try {
    let number = 0;
    for (let left = bytes; left > 0;) {
      const lines: string[] = [];
      let length = 0;
      while (length < Math.min(blockBytes, left)) {
        number += 1;
        const line = lineOf(number);
        lines.push(line);
        length += Buffer.byteLength(line);
      }
      const block = Buffer.from(lines.join('')).subarray(0, left);
      await file.write(block);
      left -= block.length;
    }
  } finally {
    await file.close();
  }
}

function lineOf(number: number): string {
  const [word = '', other = ''] = [words[number % words.length], words[(number * 7) % words.length]];
  const name = hashNames[number % hashNames.length] ?? 'md5';
  const hash = (): string => createHash(name).update(String(number)).digest('hex');
  switch (number % 10) {
    case 0:
      return (
        `2026-11-29T10:15:${String(number % 60).padStart(2, '0')}Z INFO [worker-${number % 8}] ` +
        `pid=${number % 30_000} ${name}=${hash()} size=${number}\n`
      );
    case 3:
      return `"${word}-${number}.exe","${hash()}",${number % 100_000},"${other}"\n`;
    case 6:
      return `{"name":"${word}","${name}":"${hash()}","tags":["${other}","a"]}\n`;
    case 8:
      return `hxxps://a[.]example[.]net/${word}/${number}?file=${hash()}\n`;
    case 9:
      return `Für ${word} ${other}: ${proseOf(number, 8)}.\n`;
    default:
      return `${proseOf(number, 6 + (number % 9))}.\n`;
  }
}

const proseOf = (number: number, count: number): string =>
  Array.from({ length: count }, (_, at) => words[(number * 13 + at * 5) % words.length]).join(' ');
