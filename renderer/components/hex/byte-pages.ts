import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import { type ByteSource, mostBytesARead, type ReadBytes } from '../../../shared/domain/byte-view.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/operations.ts';
import { copyText } from '../copy-button.tsx';
import { hexOf, type Stretch, within } from './hex-mark.ts';
import { text } from './strings.ts';

/** Read at a time. No row lies over the end of a page. */
export const pageBytes = 16_384;
/** Dragging a scroll bar passes pages that are not shown again. */
const keptMs = 10_000;

export interface BytePages {
  /** The page that has this byte; null while it is not here. The same object each time. */
  pageAt(offset: number): Uint8Array | null;
  /** Fewer only at the end of the file; null while a page is missing. */
  bytesAt(offset: number, length: number): Uint8Array | null;
  isReading: boolean;
  /** A page that could not be read, and how it was asked for. */
  failed: { failure: Failure; input: OperationInput<'bytes.read'> } | null;
  readAgain(): void;
}

/**
 * The bytes from `start` to before `end`, read page by page and kept for a while: all who look at a file share its
 * pages.
 */
export function useBytePages(
  source: ByteSource,
  sizeBytes: number,
  { start, end }: { start: number; end: number },
): BytePages {
  const bridge = useBridge();
  const first = Math.floor(Math.max(0, start) / pageBytes);
  const last = Math.floor((Math.min(end, sizeBytes) - 1) / pageBytes);
  const inputs = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    inputOf(source, (first + index) * pageBytes, sizeBytes),
  );
  const pages: UseQueryResult<Uint8Array, Failure>[] = useQueries({
    queries: inputs.map((input) => ({
      queryKey: ['bytes.read', input],
      queryFn: () => valueOf(bridge.call('bytes.read', input)),
      select: bytesRead,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: keptMs,
    })),
  });
  const pageAt = (offset: number): Uint8Array | null => pages[Math.floor(offset / pageBytes) - first]?.data ?? null;
  return {
    pageAt,
    bytesAt: (offset, length) => bytesIn(pageAt, offset, Math.min(offset + length, sizeBytes)),
    isReading: pages.some(({ isFetching }) => isFetching),
    failed: pages.map(({ error }, index) => failedPage(error, inputs[index])).find((failed) => failed !== null) ?? null,
    readAgain: () => {
      for (const page of pages) if (page.isError) void page.refetch();
    },
  };
}

const inputOf = (source: ByteSource, offset: number, sizeBytes: number): OperationInput<'bytes.read'> => ({
  source,
  window: { offset, length: Math.min(pageBytes, sizeBytes - offset) },
});
const failedPage = (failure: Failure | null, input: OperationInput<'bytes.read'> | undefined): BytePages['failed'] =>
  failure === null || input === undefined ? null : { failure, input };

/** One function for all: the same answer is made the same object. */
const bytesRead = ({ base64 }: ReadBytes): Uint8Array => bytesOf(base64);
const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function bytesIn(pageAt: BytePages['pageAt'], start: number, end: number): Uint8Array | null {
  const bytes: number[] = [];
  for (let offset = start; offset < end; offset += 1) {
    const byte = pageAt(offset)?.[offset % pageBytes];
    if (byte === undefined) return null;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

export interface BytePlace {
  cursor: number;
  /** null: nothing is selected. The cursor is at one of its ends. */
  selected: Stretch | null;
  /** `extends`: selects from where the selection began. */
  moveTo(offset: number, extend: boolean): void;
  /** The cursor comes to the first byte. */
  select(start: number, length: number): void;
  selectNothing(): void;
}

/** Where one is in a file of at least one byte, and what is selected. */
export function useBytePlace(sizeBytes: number): BytePlace {
  const [{ cursor, anchor }, setPlace] = useState<{ cursor: number; anchor: number | null }>({
    cursor: 0,
    anchor: null,
  });
  return {
    cursor,
    selected: anchor === null ? null : { start: Math.min(anchor, cursor), end: Math.max(anchor, cursor) + 1 },
    moveTo: (offset, extend) =>
      setPlace((before) => ({
        cursor: within(offset, sizeBytes),
        anchor: extend ? (before.anchor ?? before.cursor) : null,
      })),
    select: (start, length) =>
      setPlace({ cursor: within(start, sizeBytes), anchor: within(start + length - 1, sizeBytes) }),
    selectNothing: () => setPlace((before) => ({ ...before, anchor: null })),
  };
}

const shownForMs = 2000;

export type CopyAs = 'hex' | 'text';

/** Copies bytes, which need not be in sight, and shows the result for two seconds. Empty: no message. */
export function useByteCopy(source: ByteSource): { said: string; copy(stretch: Stretch, as: CopyAs): void } {
  const bridge = useBridge();
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), shownForMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copied = async ({ start, end }: Stretch, as: CopyAs): Promise<string> => {
    if (end - start > mostBytesARead) return text.copyTooLong;
    const read = await bridge.call('bytes.read', { source, window: { offset: start, length: end - start } });
    if (!read.ok) return text.copyFailed;
    const bytes = bytesOf(read.value.base64);
    return (await copyText(as === 'hex' ? Array.from(bytes, hexOf).join(' ') : asText(bytes)))
      ? text.copied(bytes.length)
      : text.copyFailed;
  };
  return { said, copy: (stretch, as) => void copied(stretch, as).then(setSaid) };
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
    float: read(4, () => formatFloat(view.getFloat32(0, true))),
    text: read(1, () => asText(bytes.subarray(0, textBytes))),
  };
}

const mostPlain = 1e7;

const leastPlain = 1e-4;

/** The significant digits of a 32-bit number. */
const floatDigits = 7;

/** Short, and a number that is read as such: very large and very small ones with their power of ten. */
function formatFloat(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0) return Object.is(value, -0) ? '-0' : String(value);
  return size < leastPlain || size >= mostPlain
    ? value.toExponential(2)
    : String(Number(value.toPrecision(floatDigits)));
}

/** What ASCII prints; a dot in the middle of the line for all else. */
function asText(bytes: Uint8Array): string {
  return Array.from(bytes, characterOf).join('');
}

export const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

export const characterOf = (byte: number): string => (isPrintable(byte) ? String.fromCharCode(byte) : '·');
