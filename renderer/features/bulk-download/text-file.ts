import { encodingOf, type TextEncoding } from '../../../shared/domain/text-encoding.ts';

/** Why a file is no text to read hashes from, as data. Sizes in bytes. */
export type Refusal =
  | { kind: 'too-large'; sizeBytes: number; limitBytes: number }
  | { kind: 'binary'; format: string | null }
  | { kind: 'unreadable' };

export const textLimitBytes = 64 * 1024 * 1024;
const looked = 64 * 1024;
/** Share of control characters above which a file is no text. */
const mostControls = 0.02;

/** Files that people drop in the hope that their text is read. */
const formats: readonly (readonly [string, string])[] = [
  ['%PDF-', 'PDF'],
  ['PK\u0003\u0004', 'ZIP or Office document'],
  ['\u00d0\u00cf\u0011\u00e0', 'Office document'],
];

/**
 * The text of a file: UTF-8, UTF-16 or UTF-32 with or without a mark, or any other encoding that holds ASCII as it is.
 */
export async function readTextFile(file: Blob): Promise<string | Refusal> {
  if (file.size > textLimitBytes) return { kind: 'too-large', sizeBytes: file.size, limitBytes: textLimitBytes };
  const bytes = await file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => null,
  );
  return bytes === null ? { kind: 'unreadable' } : decodeText(bytes);
}

export function decodeText(bytes: Uint8Array<ArrayBuffer>): string | Refusal {
  const format = formatOf(bytes);
  const encoding = encodingOf(bytes);
  if (format !== null || !isText(bytes, encoding)) return { kind: 'binary', format };
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return decodeUtf32(bytes, encoding === 'utf-32le');
  return decodeAs(encoding, bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}

/** null where the bytes are no UTF-8. */
function decodeAs(
  encoding: Exclude<TextEncoding, 'utf-32le' | 'utf-32be'>,
  bytes: Uint8Array<ArrayBuffer>,
): string | null {
  try {
    return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Characters that are decoded at a time. */
const utf32Piece = 4096;

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: string[] = [];
  const count = Math.floor(bytes.length / 4);
  for (let from = 0; from < count; from += utf32Piece) {
    const codes = Array.from({ length: Math.min(utf32Piece, count - from) }, (_, at) =>
      view.getUint32((from + at) * 4, isLittle),
    );
    pieces.push(String.fromCodePoint(...codes.map((code) => (code > 0x10ffff ? 0xfffd : code))));
  }
  return pieces.join('').replace(/^\ufeff/, '');
}

function isText(bytes: Uint8Array, encoding: TextEncoding): boolean {
  const head = bytes.subarray(0, looked);
  let controls = 0;
  for (const byte of head) if (byte > 0 && byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b) controls += 1;
  return controls <= head.length * mostControls && (encoding !== 'utf-8' || !bytes.includes(0));
}

function formatOf(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 8));
  return formats.find(([magic]) => head.startsWith(magic))?.[1] ?? null;
}
