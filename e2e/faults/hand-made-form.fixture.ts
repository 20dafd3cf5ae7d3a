import { once } from 'node:events';
import { type IncomingMessage, request as ask } from 'node:http';
import { text } from 'node:stream/consumers';

/** A part of a form as it is written: a text, or a file with a name. */
export type WrittenPart = [field: string, value: string] | [field: string, name: string, bytes: Uint8Array];

const boundary = '----vitrine-test-boundary';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** A multipart body written by hand (RFC 7578), so that nothing is put right on the way. */
export function multipart(...parts: WrittenPart[]): Buffer {
  const pieces = parts.flatMap(([field, value, bytes]) => {
    const ofFile = bytes === undefined ? '' : `; filename="${value}"\r\nContent-Type: application/octet-stream`;
    const disposition = `Content-Disposition: form-data; name="${field}"${ofFile}`;
    return [`--${boundary}\r\n${disposition}\r\n\r\n`, bytes ?? value, '\r\n'];
  });
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

export interface Answer {
  status: number;
  type: string;
  text: string;
}

/** Posts a body as it is. Rejects with the code of what broke the connection. */
export async function post(address: string, body: Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const asking = ask(address, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': formType, 'Content-Length': String(body.length), ...headers },
  });
  asking.end(body);
  const [reply]: IncomingMessage[] = await once(asking, 'response');
  if (reply === undefined) throw new Error('there is no reply');
  // The answer counts, even if the rest of the body is unwanted.
  asking.on('error', () => {});
  return { status: reply.statusCode ?? 0, type: reply.headers['content-type'] ?? '', text: await text(reply) };
}
