import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import type { FileFacts } from '../../rules/scanning/file-variables.ts';
import type { ScanStore } from '../../storage/scans/scan-store.ts';
import type { Staging } from '../../vault/staging.ts';
import type { ScanFile } from './scan-source-of.ts';

export interface KnownFactsOptions {
  staging: Pick<Staging, 'sourceOf'>;
  store: Pick<ScanStore, 'namesOf'>;
}

/** What is known of the files of a scan besides their bytes. */
export class KnownFacts {
  readonly #options: KnownFactsOptions;
  #accounts: Promise<ReadonlyMap<number, string>> | null = null;

  constructor(options: KnownFactsOptions) {
    this.#options = options;
  }

  /** Of a sample of the vault, all names it is known by. `asksForOwner`: an owner is looked up. */
  async of(file: ScanFile, asksForOwner: boolean): Promise<FileFacts[]> {
    if (file.stagedId === null) return sampleFacts(this.#options.store, file.sha256);
    const source = this.#options.staging.sourceOf(file.stagedId);
    const files = [{ name: file.name, path: source?.kind === 'in-place' ? source.path : null }, ...file.also];
    return Promise.all(
      files.map(async (one) => ({
        ...one,
        owner: asksForOwner && one.path !== null ? await this.#ownerOf(one.path) : null,
      })),
    );
  }

  async #ownerOf(path: string): Promise<string | null> {
    if (process.platform === 'win32') return null;
    const uid = await stat(path).then((found) => found.uid, nullWhereGone);
    this.#accounts ??= readAccounts();
    return uid === null ? null : ((await this.#accounts).get(uid) ?? null);
  }
}

/** Of a sample of the vault: all names it is known by. */
export function sampleFacts(store: Pick<ScanStore, 'namesOf'>, sha256: string): FileFacts[] {
  const names = namesKnownOf(store, sha256);
  return (names.length === 0 ? [null] : names).map((name) => ({ name, path: null, owner: null }));
}

/** Without their folders. */
export const namesKnownOf = (store: Pick<ScanStore, 'namesOf'>, sha256: string): string[] =>
  store
    .namesOf(sha256)
    .map(baseName)
    .filter((name) => name !== '');

/** Of a name that came from elsewhere, and may be a path. */
const baseName = (name: string): string => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);

function nullWhereGone(error: unknown): null {
  if (systemErrorCode(error) === null) throw error;
  return null;
}

/** By number: the accounts of the system's own list, and the one that Vitrine runs as. */
async function readAccounts(): Promise<ReadonlyMap<number, string>> {
  const list = await readFile('/etc/passwd', 'utf8').catch(nullWhereGone);
  const accounts = new Map<number, string>();
  for (const line of (list ?? '').split('\n')) {
    const [name, , uid] = line.split(':');
    if (name !== undefined && uid !== undefined && /^\d+$/.test(uid) && !accounts.has(Number(uid)))
      accounts.set(Number(uid), name);
  }
  try {
    const { uid, username } = userInfo();
    if (!accounts.has(uid)) accounts.set(uid, username);
  } catch (error) {
    nullWhereGone(error);
  }
  return accounts;
}
