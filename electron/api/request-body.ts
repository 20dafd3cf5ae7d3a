import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { fail } from '../../shared/failure.ts';

const longestName = 1024;
const longestExtension = 32;

/**
 * A file's name as the content of a quoted-string in a part's header (RFC 7578, 4.2; RFC 822, 3.3): UTF-8, `"` and `\`
 * behind a backslash, a line break as `%0D` or `%0A`. A name that already holds such a triplet has its `%` written as
 * `%25`, so that the two stay apart. Any other control character becomes U+FFFD: some servers end the name, or the
 * header, at one.
 */
export function quotedName(name: string): string {
  return shortened(name)
    .toWellFormed()
    .replace(/%(?=0a|0d|22|25)/gi, '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replace(/\p{Cc}/gu, '\uFFFD')
    .replace(/["\\]/g, '\\$&');
}

/** At most 1,024 UTF-16 code units, the extension among them. No pair of surrogates is cut in two. */
function shortened(name: string): string {
  if (name.length <= longestName) return name;
  const dot = name.lastIndexOf('.');
  const extension = name.length - dot <= longestExtension ? name.slice(dot) : '';
  return name.slice(0, longestName - extension.length).replace(/[\uD800-\uDBFF]$/, '') + extension;
}

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
 * A form as `multipart/form-data` (RFC 7578): fields, then files. `moved` is called with bytes of a file as they are
 * taken to be sent. Reading throws `file-changed` as soon as a file is shorter or longer than declared, and what the
 * file's own source throws.
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

/** The body of a POST. One is made for each try: what it reads from can be read again only from its beginning. */
export interface RequestBody {
  contentType: string;
  /** Of all of it, in bytes, the end included: announced beforehand. */
  sizeBytes: number;
  /** All but the end, in pieces of any size. Throws when it cannot be read, or is not as long as was said. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Without these last bytes the body is not whole, and a service takes nothing of it for a request. */
  end: Uint8Array;
}

export type FormField = readonly [name: string, value: string];

/** A form as `application/x-www-form-urlencoded` (URL Standard, 5.2). All of it is its end. */
export function urlEncodedBody(fields: readonly FormField[]): RequestBody {
  const end = Buffer.from(
    new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
  );
  return { contentType: 'application/x-www-form-urlencoded', sizeBytes: end.length, chunks: nothing, end };
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
