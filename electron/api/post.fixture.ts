import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { Script } from './scripted-server.fixture.ts';
import type { UploadPart } from './uploads.ts';

/** A script that is run once the body has arrived as it was announced; its head ends where the head ends. */
export function afterBody(script: (socket: Socket, head: string, body: Buffer, number: number) => void): Script {
  return (socket, head, number) => {
    const announced = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    const bytes = receivedBytes(socket, head);
    const check = (): void => {
      if (bytes.length() < announced) return;
      socket.off('data', check);
      script(socket, head.slice(0, head.indexOf('\r\n\r\n') + 4), bytes.all(), number);
    };
    socket.on('data', check);
    check();
  };
}

/** All that comes after the head, from now on. */
export function receivedBytes(socket: Socket, head: string): { length(): number; all(): Buffer } {
  const pieces: Buffer[] = [Buffer.from(head.slice(head.indexOf('\r\n\r\n') + 4), 'latin1')];
  let length = pieces[0]?.length ?? 0;
  socket.on('data', (data: Buffer) => {
    pieces.push(data);
    length += data.length;
  });
  return { length: () => length, all: () => Buffer.concat(pieces) };
}

/** The form in a body, as another program's parser reads it. */
export function formIn(head: string, body: Buffer): Promise<FormData> {
  return new Response(new Uint8Array(body), {
    headers: { 'Content-Type': /^content-type: (.*)\r$/im.exec(head)?.[1] ?? '' },
  }).formData();
}

/** A source of bytes, and how often it is open. */
export function sourceOf(pieces: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>): {
  open(): AsyncGenerator<Uint8Array>;
  isOpen(): number;
  opened(): number;
} {
  let isOpen = 0;
  let opened = 0;
  return {
    isOpen: () => isOpen,
    opened: () => opened,
    async *open() {
      isOpen += 1;
      opened += 1;
      try {
        yield* pieces();
      } finally {
        isOpen -= 1;
      }
    },
  };
}

export function partOf(content: Uint8Array | string, changes: Partial<UploadPart> = {}): UploadPart {
  const bytes = Buffer.from(content);
  return {
    md5: 'a'.repeat(32),
    name: 'sample.bin',
    sizeBytes: bytes.length,
    open: () => sourceOf(() => [bytes]).open(),
    virusTotal: false,
    sandbox: false,
    tags: [],
    ...changes,
  };
}

export const mebibyte = 1024 * 1024;

/** More than connections between two programs on one computer hold. */
export const tooMuch = 64 * mebibyte;

export function* zeros(bytes: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(mebibyte);
  for (let left = bytes; left > 0; left -= mebibyte) yield piece.subarray(0, Math.min(left, mebibyte));
}
