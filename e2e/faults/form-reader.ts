import type { IncomingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';

/** A file of a form: its field, and its own name without a path. */
export interface PartHead {
  field: string;
  name: string;
}

export interface FormReader {
  /** Takes the body. Whatever comes, it reads to the end. */
  sink: Writable;
  /** Name and value of each field, in order, once the body has ended; null when it was no whole form. */
  fields: Promise<[name: string, value: string][] | null>;
}

/** Bytes of one value; what is longer is cut. */
const fieldBytesAtMost = 8 * 1024 * 1024;

/** Reads multipart and urlencoded forms (RFC 7578, URL Standard 5). Each file must be read by `take`. */
export function formReader(
  headers: IncomingHttpHeaders,
  take: (head: PartHead, bytes: BusboyFileStream) => void,
): FormReader {
  const ended = Promise.withResolvers<[string, string][] | null>();
  const sink = parserFor(headers);
  if (sink === null) return { sink: nowhere(() => ended.resolve(null)), fields: ended.promise };
  const fields: [string, string][] = [];
  sink.on('field', (name, value) => fields.push([name, value]));
  sink.on('file', (field, bytes, name) => {
    // Ends in the middle with the form, which reports this itself.
    bytes.on('error', () => ended.resolve(null));
    take({ field, name }, bytes);
  });
  sink.on('error', () => ended.resolve(null));
  sink.on('finish', () => ended.resolve(fields));
  return { sink, fields: ended.promise };
}

function parserFor({ 'content-type': type, ...headers }: IncomingHttpHeaders): BusboyInstance | null {
  if (type === undefined) return null;
  try {
    return new Busboy({ headers: { ...headers, 'content-type': type }, limits: { fieldSize: fieldBytesAtMost } });
  } catch {
    // The only thing it can refuse here is a type that is no form's.
    return null;
  }
}

function nowhere(ended: () => void): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(), final: (done) => (ended(), done()) });
}
