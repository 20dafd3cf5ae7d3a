import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import type { BundledSample } from '../../../shared/domain/bundle.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { type BundleManifest, fingerprintOf } from '../../archive/bundle/bundle-format.ts';
import { BundleReading } from '../../archive/bundle/bundle-opening.ts';
import { BundlePreview } from '../../storage/bundles/bundle-preview.ts';
import { readingConnection } from '../../storage/reading/reading-connection.ts';
import { DamagedContainerError } from '../../vault/container/container.ts';
import { blocking, ChangedFileError, isMissingCode, openStagedBytes } from '../../vault/staging/staged-bytes.ts';
import { giveOut, ShownNowAndThen } from './bundle-delivery.ts';
import type { FromReader, PreviewedBundle, ReadingOrder } from './bundle-workers.ts';

const source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('container'), path: z.string() }),
  z.object({ kind: z.literal('in-place'), path: z.string(), sizeBytes: z.number(), changedMs: z.number() }),
]);
const readingOrder = z.object({
  stagedId: z.string(),
  source,
  name: z.string(),
  passphrase: z.string(),
  database: z.string(),
  workspaceIds: z.array(z.string()),
  taking: z.object({ borders: z.instanceof(Uint8Array), skip: z.number() }).nullable(),
});

/** What a worker is started with has no type of its own. */
const readReadingOrder = (value: unknown): ReadingOrder => readingOrder.parse(value);

/**
 * A bundle is read from its beginning to its end in a thread of its own: to look it through, or to give it out piece by
 * piece.
 */
const port: MessagePort = parentPort ?? raise();
const order: ReadingOrder = readReadingOrder(workerData);
const report = (message: FromReader, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

async function read(): Promise<void> {
  const bytes = await openStagedBytes(order.source, blocking);
  const sql = readingConnection(order.database);
  try {
    const preview = new BundlePreview(sql, order.workspaceIds);
    const reading = new BundleReading(bytes);
    const shown = (): void => report({ kind: 'read', readBytes: reading.readBytes });
    if (order.taking === null) {
      const looked = await previewBundle(reading, order, { preview, shown });
      await bytes.requireUnchanged();
      report({ kind: 'looked', looked });
    } else await giveOut(reading, order, order.taking, { preview, shown, report, port });
  } finally {
    sql.close();
    await bytes.close();
  }
}

/** Any other error is a defect and ends the worker, which its owner sees. */
function failureOf(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  const code = systemErrorCode(error);
  if (error instanceof ChangedFileError || error instanceof DamagedContainerError || isMissingCode(code))
    return { kind: 'staged-file-missing', id: order.stagedId };
  if (code === null) throw error;
  return { kind: 'disk-failed', path: order.source.path, code };
}

function raise(): never {
  throw new Error('this file is the entry of a worker');
}

await read().catch((error: unknown) => report({ kind: 'failed', failure: failureOf(error) }));
port.close();

/** Reads a bundle to its end, and counts what it would change here. @throws FailureError as the reading does */
async function previewBundle(
  reading: BundleReading,
  { passphrase, name }: Pick<ReadingOrder, 'passphrase' | 'name'>,
  { preview, shown }: { preview: BundlePreview; shown(): void },
): Promise<PreviewedBundle> {
  const borders: Buffer[] = [];
  const showing = new ShownNowAndThen(reading, shown);
  let manifest: BundleManifest | null = null;
  let sample: BundledSample | null = null;
  for await (const part of reading.parts({ passphrase, name })) {
    showing.now();
    if (part.kind === 'manifest') manifest = part.manifest;
    if (part.kind === 'border') borders.push(part.digest);
    if (part.kind === 'bytes-end' && part.isWhole && sample !== null) preview.bytes(sample);
    if (part.kind === 'rules') {
      sample = null;
      preview.rules(part.rules);
    }
    if (part.kind === 'sample') {
      ({ sample } = part);
      preview.sample(part.sample, part.records, part.hasBytes);
    }
    if (part.kind === 'end' && manifest !== null) {
      const { created, title, parts, author, publicKey } = manifest;
      return {
        facts: {
          created,
          title,
          parts,
          ...part.counts,
          changes: preview.changes,
          workspaces: preview.workspaces.map(({ changes }) => changes),
        },
        signer: { fingerprint: fingerprintOf(publicKey), name: author },
        borders: Buffer.concat(borders),
      };
    }
  }
  return fail({ kind: 'bundle-damaged', atByte: 0 });
}
