import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { fail } from '../../shared/failure.ts';
import { quotedName } from './multipart-name.ts';
import type { FormField, RequestBody } from './request-body.ts';

/** A file of a form. */
export interface FormFile {
  /** The name of its field, of plain characters. */
  field: string;
  /** Its own name; untrusted text. */
  name: string;
  sizeBytes: number;
  /** Its bytes from the beginning, in pieces of any size. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * A form as `multipart/form-data` (RFC 7578): fields, then files. `moved` is told of bytes of a file as they are taken
 * to be sent. Reading throws `file-changed` as soon as a file is shorter or longer than was said, and what the file's
 * own source throws.
 */
export function multipartBody(
  fields: readonly FormField[],
  files: readonly FormFile[],
  moved: (index: number, bytes: number) => void,
): RequestBody {
  // Nothing in a sample may end a part: no content can foresee 128 random bits.
  const boundary = `vitrine-${randomBytes(16).toString('hex')}`;
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  const head = Buffer.from(
    fields
      .map(([name, value], index) => `${delimiter(boundary, index)}${disposition(name)}\r\n\r\n${value.toWellFormed()}`)
      .join(''),
  );
  const heads = files.map((file, index) => Buffer.from(delimiter(boundary, fields.length + index) + fileHead(file)));
  const sizes = [
    head.length,
    end.length,
    ...heads.map(({ length }) => length),
    ...files.map(({ sizeBytes }) => sizeBytes),
  ];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
    chunks: async function* () {
      yield head;
      for (const [index, file] of files.entries()) {
        yield heads[index] ?? new Uint8Array();
        yield* bytesOf(file, (bytes) => moved(index, bytes));
      }
    },
    end,
  };
}

const delimiter = (boundary: string, index: number): string => `${index === 0 ? '' : '\r\n'}--${boundary}\r\n`;

const disposition = (field: string): string => `Content-Disposition: form-data; name="${field}"`;

/** PHP takes an upload without a name, after it cut folders off, for no file at all. */
const sentName = (name: string): string => (/^[/\\]*$/.test(name) ? 'unnamed' : name);

const fileHead = ({ field, name }: FormFile): string =>
  `${disposition(field)}; filename="${quotedName(sentName(name))}"\r\nContent-Type: application/octet-stream\r\n\r\n`;

/** Exactly as many bytes as were said: with more or fewer, everything behind them would be read wrongly. */
async function* bytesOf(file: FormFile, moved: (bytes: number) => void): AsyncGenerator<Uint8Array, void, undefined> {
  const { name } = file;
  let left = file.sizeBytes;
  for await (const chunk of file.open()) {
    left -= chunk.byteLength;
    if (left < 0) fail({ kind: 'file-changed', name });
    yield chunk;
    moved(chunk.byteLength);
  }
  if (left > 0) fail({ kind: 'file-changed', name });
}
