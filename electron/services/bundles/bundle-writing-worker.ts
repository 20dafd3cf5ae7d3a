import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { bundleManifest, SampleNames } from '../../archive/bundle/bundle-format.ts';
import { BundleSealing } from '../../archive/bundle/bundle-sealing.ts';
import type { SealedSink } from '../../archive/bundle/sealed-chunks.ts';
import { BufferedFile } from '../../archive/export/exported-file.ts';
import { BundledSamples } from '../../storage/bundles/bundled-samples.ts';
import { readingConnection } from '../../storage/reading/reading-connection.ts';
import { openBlocking } from '../../vault/container/container-file.ts';
import { readSource, type SampleSource, unreadableReason } from '../../vault/sample-source.ts';
import type { FromWriter, OrderedSample, ToWriter, WritingOrder } from './bundle-workers.ts';

/**
 * Out of the library and the vault, into the bundle: a sample passes through one thread, and the host's own has no part
 * in it.
 */
const port: MessagePort = parentPort ?? raise();
const order: WritingOrder = z
  .object({
    database: z.string(),
    passphrase: z.string(),
    signingKey: z.string(),
    cost: z.object({ rounds: z.number(), blocks: z.number(), parallelism: z.number() }),
    manifest: bundleManifest.omit({ publicKey: true }),
    path: z.string().nullable(),
  })
  .parse(workerData);

const movedEveryBytes = 4 * 2 ** 20;

const report = (message: FromWriter, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
function request(message: FromWriter, transfer: ArrayBuffer[] = []): Promise<ToWriter> {
  const answer = new Promise<ToWriter>((resolve) => port.once('message', resolve));
  report(message, transfer);
  return answer;
}

/** Into a file, and its errors are distinguished from all others. */
class FileSink implements SealedSink {
  readonly file: BufferedFile;

  constructor(path: string) {
    this.file = onDisk(() => new BufferedFile({ path, durable: true, isNew: true }));
  }

  write(bytes: Uint8Array): void {
    onDisk(() => this.file.write(bytes));
    releaseBytes(bytes);
  }
}

/** To the requester, a piece at a time. */
class SentSink implements SealedSink {
  hashes: string[] = [];

  async write(bytes: Uint8Array): Promise<void> {
    const hashes = this.hashes;
    this.hashes = [];
    const own = new Uint8Array(bytes);
    await request({ kind: 'sealed', bytes: own, hashes }, [own.buffer]);
  }
}

class DiskError extends Error {
  readonly code: string;
  constructor(code: string, cause: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

function onDisk<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = systemErrorCode(error);
    throw code === null ? error : new DiskError(code, error);
  }
}

class Writing {
  readonly #sealing: BundleSealing;
  readonly #samples: BundledSamples;
  readonly #sent: SentSink | null;
  readonly #names = new SampleNames();
  #unreported = 0;

  constructor(sealing: BundleSealing, samples: BundledSamples, sent: SentSink | null) {
    this.#sealing = sealing;
    this.#samples = samples;
    this.#sent = sent;
  }

  async run(): Promise<void> {
    if (order.manifest.parts.samples) report({ kind: 'expected', bytes: await this.#counted() });
    await this.#sealing.begin(order.manifest);
    for (;;) {
      const answer = await request({ kind: 'next' });
      if (answer.kind === 'end') break;
      if (answer.kind === 'samples') for (const sample of answer.samples) await this.#sample(sample);
      if (answer.kind === 'rules') await this.#sealing.rules(answer.rules);
      if (answer.kind === 'piece') await this.#sealing.piece(answer.bytes);
      if (answer.kind === 'end-rules') await this.#sealing.endBytes(true);
    }
    await this.#sealing.end();
  }

  async #counted(): Promise<number> {
    for (let bytes = 0; ;) {
      const answer = await request({ kind: 'next-to-count' });
      if (answer.kind !== 'hashes') return bytes;
      bytes += this.#samples.bytesOf(answer.hashes);
    }
  }

  async #sample({ hash, source }: OrderedSample): Promise<void> {
    const found = this.#samples.read(hash, order.manifest.parts);
    // What two rows were while they were listed may be one by now.
    if (found === null || !this.#names.add(found.sample)) return report({ kind: 'gone', hash });
    this.#sent?.hashes.push(hash);
    await this.#sealing.sample(found.sample);
    let { isCut } = found;
    for (const record of found.records) isCut = !(await this.#sealing.record(record)) || isCut;
    if (isCut) report({ kind: 'cut', hash });
    if (source !== null && found.inVault) await this.#bytes(source, found.sample.sizeBytes);
  }

  /** Not hashed: the tag of its container replaces its hashes (docs/decisions/0022). */
  async #bytes(source: SampleSource, sizeBytes: number | null): Promise<void> {
    const isWhole = await this.#copy(source, sizeBytes).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof SourceError)) throw error;
        report({ kind: 'unreadable', sha256: source.sha256, reason: error.reason });
        return false;
      },
    );
    await this.#sealing.endBytes(isWhole);
  }

  /** The bundle has said how many bytes there are. */
  async #copy(source: SampleSource, sizeBytes: number | null): Promise<void> {
    let copied = 0;
    const pieces = readSource(source, openBlocking);
    const next = (): Promise<IteratorResult<Uint8Array<ArrayBuffer>>> =>
      pieces.next().catch((error: unknown) => {
        const reason = unreadableReason(error);
        throw reason === null ? error : new SourceError(reason, error);
      });
    for (let piece = await next(); !piece.done; piece = await next()) {
      copied += piece.value.length;
      await this.#sealing.piece(piece.value);
      this.#moved(piece.value.length);
      releaseBytes(piece.value);
    }
    if (copied !== sizeBytes) throw new SourceError('damaged', null);
  }

  #moved(bytes: number): void {
    this.#unreported += bytes;
    if (this.#unreported < movedEveryBytes) return;
    report({ kind: 'moved', bytes: this.#unreported });
    this.#unreported = 0;
  }
}

class SourceError extends Error {
  readonly reason: string;
  constructor(reason: string, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

async function write(): Promise<void> {
  const file = order.path === null ? null : new FileSink(order.path);
  const sent = file === null ? new SentSink() : null;
  const sink = file ?? sent;
  if (sink === null) throw new Error('a bundle goes somewhere');
  const sql = readingConnection(order.database);
  try {
    await new Writing(new BundleSealing({ ...order, sink }), new BundledSamples(sql), sent).run();
  } finally {
    sql.close();
  }
  await file?.file.finish().catch((error: unknown) => {
    onDisk(() => {
      throw error;
    });
  });
  report({ kind: 'finished', sizeBytes: file?.file.position ?? 0 });
}

function raise(): never {
  throw new Error('this file is the entry of a worker');
}

await write().catch((error: unknown) => {
  if (!(error instanceof DiskError)) throw error;
  report({ kind: 'disk-failed', code: error.code });
});
port.close();
