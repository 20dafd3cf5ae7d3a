import type { AddedFile } from '../../../shared/domain/addition.ts';
import type { Hashes } from '../../../shared/domain/hash.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { ArrivedSample } from '../../vault/receiver.ts';
import type { Staging } from '../../vault/staging.ts';
import { unreadStagedFailure } from '../../vault/staging/staged-bytes.ts';
import type { Vault, VaultBatch } from '../../vault/vault.ts';

/** A staged file that is to be kept in the vault. */
export interface FileToStore {
  file: AddedFile;
  stagedId: string;
}

/** What the vault has of it now, or why it has not. */
export type StoredFile =
  { file: AddedFile; stored: Hashes & { sizeBytes: number } } | { file: AddedFile; failure: Failure };

export interface SampleGroupPorts {
  vault: Pick<Vault, 'receive' | 'batch' | 'waitForSpace'>;
  staging: Pick<Staging, 'open' | 'check'>;
  signal: AbortSignal;
}

/** In bytes. A larger file is written as it is read. */
const heldUpTo = 4 * 1024 * 1024;
/** The expected hashes of a local file are not known. */
const anything = { md5: null, sha256: null };

/** A staged file could not be read: the vault has no part in that. */
class UnreadError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('a staged file cannot be read');
    this.failure = failure;
  }
}

/** A file whose bytes are read; `written` resolves when the vault has them. */
interface Begun {
  written: Promise<StoredFile>;
}

/**
 * Puts staged files into the vault together. `record` runs in the transaction in which they become known, with one
 * outcome a file, in their order. A file that cannot be read is one of the outcomes.
 * @throws FailureError as the vault and the database do, and then none of them is known; the signal's reason
 */
export async function keepTogether(
  ports: SampleGroupPorts,
  files: readonly FileToStore[],
  record: (outcomes: readonly StoredFile[]) => void,
): Promise<void> {
  const batch = ports.vault.batch();
  const arrived: ArrivedSample[] = [];
  try {
    const begun: Begun[] = [];
    for (const one of files) {
      ports.signal.throwIfAborted();
      begun.push(
        await orUnread(one, () =>
          one.file.sizeBytes <= heldUpTo ? whole(ports, batch, one) : streamed(ports, one, arrived),
        ),
      );
    }
    const outcomes = await Promise.all(begun.map(({ written }) => written));
    await batch.commit(() => {
      record(outcomes);
      for (const { announced } of arrived) announced(true);
    });
  } finally {
    for (const { announced } of arrived) announced(false);
    await batch.abort();
  }
}

async function whole(ports: SampleGroupPorts, batch: VaultBatch, one: FileToStore): Promise<Begun> {
  const { file, stagedId } = one;
  await ports.vault.waitForSpace(2 * file.sizeBytes, ports.signal);
  const bytes = new Uint8Array(file.sizeBytes);
  let at = 0;
  for await (const chunk of readStaged(ports, one)) {
    if (at + chunk.length > bytes.length) throw new UnreadError({ kind: 'file-changed', name: file.name });
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at < bytes.length) throw new UnreadError(await failureOf(ports.staging, file.name, stagedId));
  const written = batch
    .add({ bytes, encoding: 'identity', sizeBytes: bytes.length, crc32: null }, anything)
    .then((stored) => ({ file, stored }));
  // Why it cannot be written is asked for when all are begun.
  written.catch(() => undefined);
  return { written };
}

async function streamed(ports: SampleGroupPorts, one: FileToStore, arrived: ArrivedSample[]): Promise<Begun> {
  const receiver = ports.vault.receive();
  try {
    for await (const chunk of readStaged(ports, one)) {
      ports.signal.throwIfAborted();
      await receiver.write(chunk);
    }
    const sample = await receiver.arrive(anything);
    arrived.push(sample);
    return { written: Promise.resolve({ file: one.file, stored: sample.stored }) };
  } catch (error) {
    await receiver.abort();
    throw error;
  }
}

async function orUnread({ file }: FileToStore, begin: () => Promise<Begun>): Promise<Begun> {
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    return { written: Promise.resolve({ file, failure: error.failure }) };
  }
}

async function* readStaged(
  { staging }: SampleGroupPorts,
  { file, stagedId }: FileToStore,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* staging.open(stagedId);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { failure } = error;
    throw new UnreadError(
      failure.kind === 'disk-failed'
        ? { kind: 'file-unreadable', name: file.name, code: failure.code }
        : await failureOf(staging, file.name, stagedId),
    );
  }
}

async function failureOf(staging: Pick<Staging, 'check'>, name: string, stagedId: string): Promise<Failure> {
  return unreadStagedFailure(name, {
    reason: (await staging.check(stagedId)) === 'changed' ? 'changed' : 'gone',
    code: '',
  });
}
