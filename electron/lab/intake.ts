import type { Hashes } from '../../shared/domain/hash.ts';
import type { BlobReceiver, BlobStore, SealedBlob } from './blob-store.ts';
import type { MetadataStore, NewComment, SampleFacts } from './metadata-store.ts';

export interface TakenIn {
  hashes: Hashes;
  sizeBytes: number;
  outcome: 'added' | 'already-here';
}

/**
 * Takes a sample in: first the bytes, made durable, then the row that makes them visible. A process killed in between
 * leaves bytes nobody can ask for, which the next start sweeps; a row without its bytes cannot come to be.
 */
export async function takeIn(
  stores: { metadata: MetadataStore; blobs: BlobStore },
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  facts: SampleFacts,
  comments: NewComment[],
): Promise<TakenIn> {
  const { hashes, sizeBytes } = await keepAll(stores.blobs, chunks);
  const outcome = await stores.metadata.addSample({ ...facts, hashes, sizeBytes }, comments);
  return { hashes, sizeBytes, outcome };
}

/** Makes bytes durable; no row tells of them yet. */
export async function keepAll(
  blobs: BlobStore,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<SealedBlob> {
  const receiver = blobs.receive();
  const sealed = await sealAll(receiver, chunks);
  await receiver.keep();
  return sealed;
}

/** Nothing is left of what could not be read or written to its end. */
export async function sealAll(
  receiver: BlobReceiver,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<SealedBlob> {
  try {
    for await (const chunk of chunks) await receiver.write(chunk);
    return await receiver.seal();
  } catch (error) {
    await receiver.abort();
    throw error;
  }
}
