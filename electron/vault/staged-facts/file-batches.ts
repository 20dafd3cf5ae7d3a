import type { StagedSource } from '../staging/staged-source.ts';
import type { FileOrder } from './facts-messages.ts';
import type { UnreadFile } from './file-facts.ts';

/** A message between threads costs as much as a small file: many of them share one. */
const batchFiles = 64;
/** A batch ends with the file that brings it here, so that no thread is left with all the large ones. */
const batchBytes = 8 * 1024 * 1024;

export interface FileBatch {
  orders: FileOrder[];
  /** Nothing is staged under these ids. */
  unknown: UnreadFile[];
}

/** Made as they are asked for: where a file lies is looked up when its turn comes. */
export function* batchesOf(
  files: readonly { id: string }[],
  sourceOf: (id: string) => StagedSource | null,
): Generator<FileBatch, void, void> {
  let batch: FileBatch = { orders: [], unknown: [] };
  let bytes = 0;
  for (const { id } of files) {
    const source = sourceOf(id);
    if (source === null) batch.unknown.push({ id, reason: 'gone', code: '' });
    else batch.orders.push({ id, source });
    bytes += source?.kind === 'in-place' ? source.sizeBytes : 0;
    if (batch.orders.length + batch.unknown.length < batchFiles && bytes < batchBytes) continue;
    yield batch;
    batch = { orders: [], unknown: [] };
    bytes = 0;
  }
  if (batch.orders.length + batch.unknown.length > 0) yield batch;
}
