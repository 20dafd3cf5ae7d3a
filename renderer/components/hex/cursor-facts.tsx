import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { useBytePages } from './byte-pages.ts';
import styles from './cursor-facts.module.css';
import { text } from './strings.ts';

interface CursorFactsProps {
  source: ByteSource;
  sizeBytes: number;
  /** Of the cursor, in bytes. */
  offset: number;
}

const widest = 4;
const names = ['u8', 'u16', 'u32', 'i32', 'float', 'text'] as const;

/** The bytes from the cursor on as numbers and as text. Without a heading. */
export function CursorFacts({ source, sizeBytes, offset }: CursorFactsProps) {
  const bytes = useBytePages(source, sizeBytes, { start: offset, end: offset + widest }).bytesAt(offset, widest);
  const values = bytes && cursorValues(bytes);
  return (
    <div className={styles.facts} data-figures>
      <dl className={styles.list}>
        {names.map((name) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{values === null ? '' : (values[name] ?? text.cutOff)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.order}>{text.littleEndian}</p>
    </div>
  );
}

/** Bytes as a machine reads them, the least significant one first; null where there are too few. */
interface CursorValues {
  u8: string | null;
  u16: string | null;
  u32: string | null;
  i32: string | null;
  float: string | null;
  text: string | null;
}

const textBytes = 4;

export function cursorValues(bytes: Uint8Array): CursorValues {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = (length: number, value: () => string): string | null => (bytes.length < length ? null : value());
  return {
    u8: read(1, () => String(view.getUint8(0))),
    u16: read(2, () => String(view.getUint16(0, true))),
    u32: read(4, () => String(view.getUint32(0, true))),
    i32: read(4, () => String(view.getInt32(0, true))),
    float: read(4, () => floatWords(view.getFloat32(0, true))),
    text: read(1, () => asText(bytes.subarray(0, textBytes))),
  };
}

const mostPlain = 1e7;
const leastPlain = 1e-4;
/** What a number of 32 bits says for sure. */
const floatDigits = 7;

/** Short, and a number that is read as such: very large and very small ones with their power of ten. */
function floatWords(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0) return Object.is(value, -0) ? '-0' : String(value);
  return size < leastPlain || size >= mostPlain
    ? value.toExponential(2)
    : String(Number(value.toPrecision(floatDigits)));
}

/** What ASCII prints; a dot in the middle of the line for all else. */
export function asText(bytes: Uint8Array): string {
  return Array.from(bytes, characterOf).join('');
}

export const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
export const characterOf = (byte: number): string => (isPrintable(byte) ? String.fromCharCode(byte) : '·');
