import { setImmediate as nextTurn } from 'node:timers/promises';
import { FailureError } from '../../../shared/failure.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import { SampleLooker } from '../../vault/looking/sample-looker.ts';
import type { Vault } from '../../vault/vault.ts';

export interface LostSamplesOptions {
  vault: Pick<Vault, 'list' | 'sourcesOf' | 'hashesOf'>;
  library: Pick<LibraryStore, 'find' | 'foundInVault'>;
  signal: AbortSignal;
}

type Kept = NonNullable<Awaited<ReturnType<Vault['hashesOf']>>>;

/** Looked for in the library before the thread is free again: some milliseconds' worth. */
const samplesATurn = 100;

/**
 * Samples that the vault has and the library does not expect there: a crash or an older database left them. Those that
 * are whole when they are read are known again; what is damaged stays where it is, and unknown.
 */
export async function bringBackLost(options: LostSamplesOptions): Promise<void> {
  const looker = new SampleLooker();
  try {
    for await (const some of inTurns(options.vault.list())) await bringBack(options, looker, some);
  } finally {
    await looker.close();
  }
}

async function bringBack(
  { vault, library, signal }: LostSamplesOptions,
  looker: SampleLooker,
  sha256s: readonly string[],
): Promise<void> {
  const lost = sha256s.filter((sha256) => library.find(sha256)?.inVault !== true);
  await nextTurn();
  if (lost.length === 0) return;
  const reasons = await looker.verify(vault.sourcesOf(lost), signal);
  const whole: Kept[] = [];
  for (const sha256 of lost.filter((_, index) => reasons[index] === null)) whole.push(...(await keptOf(vault, sha256)));
  library.foundInVault(whole.map(({ md5, sha1, sha256, sizeBytes }) => ({ hashes: { md5, sha1, sha256 }, sizeBytes })));
}

/** Nothing of one that was removed in between. */
async function keptOf(vault: Pick<Vault, 'hashesOf'>, sha256: string): Promise<Kept[]> {
  try {
    const kept = await vault.hashesOf(sha256);
    return kept ? [kept] : [];
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'vault-damaged') return [];
    throw error;
  }
}

async function* inTurns(all: AsyncIterable<string>): AsyncGenerator<string[], void, void> {
  let some: string[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length < samplesATurn) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
