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
const formats: readonly (readonly [string, string])[] = [['%PDF-', 'PDF'], ['PK\u0003\u0004', 'ZIP or Office document'], ['\u00d0\u00cf\u0011\u00e0', 'Office document']];

/** The text of a file: UTF-8, UTF-16 with or without a mark, or any other encoding that holds ASCII as it is. */
export async function readTextFile(file: Blob): Promise<string | Refusal> {
  if (file.size > textLimitBytes) return { kind: 'too-large', sizeBytes: file.size, limitBytes: textLimitBytes };
  const bytes = await file.arrayBuffer().then((buffer) => new Uint8Array(buffer), () => null);
  return bytes === null ? { kind: 'unreadable' } : decodeText(bytes);
}

export function decodeText(bytes: Uint8Array<ArrayBuffer>): string | Refusal {
  const format = formatOf(bytes);
  const encoding = encodingOf(bytes);
  if (format !== null || encoding === null) return { kind: 'binary', format };
  return new TextDecoder(encoding).decode(bytes);
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** null: no text. */
function encodingOf(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, looked);
  const zeros = [0, 0];
  let controls = 0;
  for (const [at, byte] of head.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
    else if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b) controls += 1;
  }
  if (controls > head.length * mostControls) return null;
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return bytes.includes(0) ? null : 'utf-8';
  // ASCII in UTF-16 has a zero at every second place, and at no other.
  if (even === 0 && odd > head.length / 4) return 'utf-16le';
  return odd === 0 && even > head.length / 4 ? 'utf-16be' : null;
}

function formatOf(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 8));
  return formats.find(([magic]) => head.startsWith(magic))?.[1] ?? null;
}
