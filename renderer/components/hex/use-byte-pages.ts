import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import type { OperationInput } from '../../../shared/contract.ts';
import type { ByteSource, ReadBytes } from '../../../shared/domain/byte-view.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/operations.ts';

/** Read at a time. No row lies over the end of a page. */
export const pageBytes = 16_384;
/** Dragging a scroll bar passes pages that nobody sees again. */
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
export const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function bytesIn(pageAt: BytePages['pageAt'], start: number, end: number): Uint8Array | null {
  const bytes: number[] = [];
  for (let offset = start; offset < end; offset += 1) {
    const byte = pageAt(offset)?.[offset % pageBytes];
    if (byte === undefined) return null;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
