import { readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fail, FailureError } from '../../shared/failure.ts';
import { syncFolder } from '../disk/move-into-place.ts';
import { removeUnfinished, translateFileError, writeFileAtomic } from './atomic-file.ts';
import type { Keychain } from './keychain.ts';
import { readJson } from './stored-json.ts';

const content = z.strictObject({
  format: z.literal('vitrine-keychain-tokens'),
  version: z.literal(1),
  /** `sealed` is base64 of whatever the keychain made of the token. */
  entries: z.array(z.strictObject({ name: z.string(), sealed: z.base64() })),
});
export type KeychainContent = z.infer<typeof content>;

export const keychainFormat: TokenFormat<KeychainContent> = {
  write: (tokens) => `${JSON.stringify(tokens)}\n`,
  read: (text) => {
    const read = content.safeParse(readJson(text));
    return read.success ? read.data : null;
  },
};

const nothing: KeychainContent = { format: 'vitrine-keychain-tokens', version: 1, entries: [] };

export function withoutKeychainToken(tokens: KeychainContent, name: string): KeychainContent {
  return { ...tokens, entries: tokens.entries.filter((entry) => entry.name !== name) };
}

/** Tokens that the operating system's keychain sealed, in a file of ours. */
export class KeychainTokens {
  readonly #file: TokenFile<KeychainContent>;
  readonly #keychain: Keychain;

  constructor(file: TokenFile<KeychainContent>, keychain: Keychain) {
    this.#file = file;
    this.#keychain = keychain;
  }

  get backend(): string {
    return this.#keychain.backend;
  }

  get state(): 'open' | 'damaged' {
    return this.#file.content === 'damaged' ? 'damaged' : 'open';
  }

  async get(name: string): Promise<string | null> {
    const entry = this.#readable().entries.find((one) => one.name === name);
    if (!entry) return null;
    const { text, shouldReseal } = await this.#ask(() => this.#keychain.open(Buffer.from(entry.sealed, 'base64')));
    if (shouldReseal) await this.#reseal(name, text);
    return text;
  }

  /** Begins anew over a damaged file, which is put aside. */
  async set(name: string, value: string): Promise<void> {
    const sealed = await this.#ask(() => this.#keychain.seal(value));
    const entry = { name, sealed: Buffer.from(sealed).toString('base64') };
    const before = this.#file.content === 'damaged' ? nothing : this.#readable();
    await this.#file.replace({ ...nothing, entries: [...withoutKeychainToken(before, name).entries, entry] });
  }

  names(): string[] {
    return this.#file.content === 'damaged' ? [] : this.#readable().entries.map(({ name }) => name);
  }

  /**
   * The old seal still opens: what keeps the new one from being written must not cost the token. Tried again next time.
   */
  async #reseal(name: string, value: string): Promise<void> {
    try {
      await this.set(name, value);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
    }
  }

  #readable(): KeychainContent {
    const kept = this.#file.content;
    return kept === 'damaged' ? fail({ kind: 'secrets-damaged', path: this.#file.path }) : (kept ?? nothing);
  }

  /** A keychain says no in its own words, which may hold anything: only its name goes on. */
  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch {
      throw new FailureError({ kind: 'keychain-failed', backend: this.#keychain.backend });
    }
  }
}

/** How a file's content becomes text and back; `read` gives null for anything it did not write. */
interface TokenFormat<Content> {
  write(content: Content): string;
  read(text: string): Content | null;
}

/** What a file of sealed tokens holds: kept in memory, written whole and atomically, changed only once written. */
export class TokenFile<Content> {
  readonly path: string;
  readonly #format: TokenFormat<Content>;
  #content: Content | 'damaged' | null = null;

  constructor(path: string, format: TokenFormat<Content>) {
    this.path = path;
    this.#format = format;
  }

  /** Reads it, and clears away what a crash left of earlier writes. */
  async load(): Promise<void> {
    await removeUnfinished(this.path);
    const text = await readIfThere(this.path);
    this.#content = text === null ? null : (this.#format.read(text) ?? 'damaged');
  }

  /** null when there is no file. */
  get content(): Content | 'damaged' | null {
    return this.#content;
  }

  /** A damaged file is put aside first, never overwritten: it is the only copy of what may still be told from it. */
  async replace(content: Content): Promise<void> {
    if (this.#content === 'damaged') await this.#putAside();
    await writeFileAtomic(this.path, this.#format.write(content));
    this.#content = content;
  }

  /** For good. */
  async remove(): Promise<void> {
    try {
      await rm(this.path, { force: true });
      await syncFolder(dirname(this.path));
    } catch (error) {
      throw translateFileError(error, this.path);
    }
    this.#content = null;
  }

  async #putAside(): Promise<void> {
    try {
      await rename(this.path, `${this.path}.damaged-${Date.now()}`);
    } catch (error) {
      throw translateFileError(error, this.path);
    }
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw translateFileError(error, path);
  }
}
