import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { formReader } from './form-reader.ts';

/** A form as PHP gives it to a program: of a field that comes twice the last value, and the first twenty files. */
export interface PhpForm {
  fields: ReadonlyMap<string, string>;
  files: readonly PhpFile[];
}

export interface PhpFile {
  field: string;
  name: string;
  bytes: Buffer;
}

/** PHP's `max_file_uploads`. The rest is dropped without a word. */
const filesAtMost = 20;

export const noForm: PhpForm = { fields: new Map(), files: [] };

/** Reads the whole body before anything is answered. A body over the limit is read too, and dropped whole: null. */
export async function readPhpForm(request: IncomingMessage, bytesAtMost: number): Promise<PhpForm | null> {
  if (Number(request.headers['content-length'] ?? 0) > bytesAtMost) return drained(request);
  const files: Promise<PhpFile>[] = [];
  const { sink, fields } = formReader(request.headers, (head, bytes) => {
    if (files.length < filesAtMost) files.push(buffer(bytes).then((whole) => ({ ...head, bytes: whole })));
    else bytes.resume();
  });
  let received = 0;
  request.on('data', (chunk: Buffer) => (received += chunk.length));
  request.pipe(sink);
  const named = await Promise.race([fields, broken(request)]);
  if (received > bytesAtMost) return drained(request);
  if (named !== null) return { fields: new Map(named), files: await Promise.all(files) };
  await Promise.allSettled([drained(request), ...files]);
  return noForm;
}

async function drained(request: IncomingMessage): Promise<null> {
  request.resume();
  if (!request.readableEnded) await Promise.race([once(request, 'end'), broken(request)]);
  return null;
}

async function broken(request: IncomingMessage): Promise<never> {
  await once(request, 'aborted');
  throw new Error('the client left in the middle of its request');
}
