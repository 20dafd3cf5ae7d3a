import { join } from 'node:path';
import type { SecretsState } from '../../../shared/domain/host.ts';
import { Mutex } from '../../../shared/mutex.ts';
import { type KeychainContent, keychainFormat, KeychainTokens, withoutKeychainToken } from './keychain-tokens.ts';
import type { Keychain } from './keychain.ts';
import {
  PassphraseTokens,
  readSealedTokens,
  type SealedTokens,
  withoutToken,
  writeSealedTokens,
} from './sealed-tokens.ts';
import { TokenFile } from './token-file.ts';

export interface TokenStoreOptions {
  /** Holds the sealed files; it exists. */
  directory: string;
  /** null where there is no real one. */
  keychain: Keychain | null;
  /** Of scrypt, for a passphrase; fewer only in tests, whose files no other store opens. */
  rounds?: number | undefined;
}

interface Files {
  keychain: TokenFile<KeychainContent>;
  sealed: TokenFile<SealedTokens>;
}

/** Never fails over a damaged file: Vitrine must start, and reports the damage when a token is needed. */
export async function openTokenStore({ directory, keychain, rounds }: TokenStoreOptions): Promise<TokenStore> {
  const files: Files = {
    keychain: new TokenFile(join(directory, 'tokens.keychain'), keychainFormat),
    sealed: new TokenFile(join(directory, 'tokens.sealed'), { read: readSealedTokens, write: writeSealedTokens }),
  };
  await files.keychain.load();
  await files.sealed.load();
  return new TokenStore(files, keychain, rounds);
}

/**
 * Where tokens are: in the system keychain; else in a file sealed with a passphrase; else in memory until Vitrine
 * ends. Never as plain text on a disk, never under a key that lies beside them. Calls run one after another.
 */
export class TokenStore {
  readonly #files: Files;
  readonly #keychain: KeychainTokens | null;
  readonly #sealed: PassphraseTokens;
  readonly #memory = new Map<string, string>();
  /** Of one command: kept nowhere, and before any other. */
  readonly #lent = new Map<string, string>();
  readonly #listeners = new Set<(state: SecretsState) => void>();
  readonly #mutex = new Mutex();

  constructor(files: Files, keychain: Keychain | null, rounds: number | undefined) {
    this.#files = files;
    this.#keychain = keychain && new KeychainTokens(files.keychain, keychain);
    this.#sealed = new PassphraseTokens(files.sealed, rounds);
  }

  state(): SecretsState {
    if (this.#keychain) return { store: 'keychain', state: this.#keychain.state, backend: this.#keychain.backend };
    if (this.#sealed.exists) return { store: 'sealed-file', state: this.#sealed.state, backend: null };
    return { store: 'memory', state: 'open', backend: null };
  }

  /** null when there is none. Fails with `secrets-locked`, `secrets-damaged` or `keychain-failed`. */
  get(name: string): Promise<string | null> {
    return this.#mutex.run(async () => {
      const lent = this.#lent.get(name);
      if (lent !== undefined) return lent;
      if (this.#keychain) return this.#keychain.get(name);
      return this.#sealed.exists ? this.#sealed.get(name) : (this.#memory.get(name) ?? null);
    });
  }

  /** Is given out as if it were stored, also where the store is locked, until this program ends. */
  lend(name: string, value: string): void {
    this.#lent.set(name, value);
  }

  /** Starts a new file over a damaged one of the keychain. Fails as `get` does, and as a disk does. */
  set(name: string, value: string): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.#keychain) return this.#setInKeychain(this.#keychain, name, value);
      if (this.#sealed.exists) return this.#sealed.set(name, value);
      this.#memory.set(name, value);
    });
  }

  /**
   * Gone from every place at once, also from a store that is locked or not the one in use. A file that cannot be read
   * is passed over: it gives no token out, and would keep a workspace from being edited and removed.
   */
  delete(name: string): Promise<void> {
    return this.#mutex.run(async () => {
      this.#memory.delete(name);
      this.#lent.delete(name);
      await dropFrom(this.#files.keychain, (tokens) => withoutKeychainToken(tokens, name));
      await dropFrom(this.#files.sealed, (tokens) => withoutToken(tokens, name));
    });
  }

  /** Of the store in use; known also while it is locked. */
  names(): string[] {
    return [...new Set([...this.#lent.keys(), ...this.#stored()])];
  }

  /**
   * Seals what is in memory with a passphrase; when the sealed file is open, changes its passphrase; when it is
   * damaged, puts it aside. Does nothing where there is a keychain. Fails with `passphrase-short`, or with
   * `secrets-locked` when a sound sealed file would be lost.
   */
  create(passphrase: string): Promise<SecretsState> {
    return this.#changing(async () => {
      if (this.#keychain) return;
      await this.#sealed.create(passphrase, new Map([...this.#sealed.all(), ...this.#memory]));
      this.#memory.clear();
    });
  }

  /** Fails with `passphrase-wrong` or `secrets-damaged`. */
  unlock(passphrase: string): Promise<SecretsState> {
    return this.#changing(async () => {
      if (!this.#keychain && this.#sealed.exists) await this.#sealed.unlock(passphrase);
    });
  }

  /** Deletes a locked sealed file, with all its content: its passphrase is lost. Any other file stays. */
  forget(): Promise<SecretsState> {
    return this.#changing(async () => {
      if (!this.#keychain) await this.#sealed.forget();
    });
  }

  /** Calls the listener after each change of the state until the returned function is called. */
  onChange(listener: (state: SecretsState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #stored(): string[] {
    if (this.#keychain) return this.#keychain.names();
    return this.#sealed.exists ? this.#sealed.names() : [...this.#memory.keys()];
  }

  async #changing(work: () => Promise<void>): Promise<SecretsState> {
    await this.#mutex.run(work);
    return this.#report();
  }

  async #setInKeychain(keychain: KeychainTokens, name: string, value: string): Promise<void> {
    const before = keychain.state;
    await keychain.set(name, value);
    if (keychain.state !== before) this.#report();
  }

  #report(): SecretsState {
    const state = this.state();
    for (const listener of this.#listeners) listener(state);
    return state;
  }
}

async function dropFrom<Content extends { entries: { name: string }[] }>(
  file: TokenFile<Content>,
  without: (content: Content) => Content,
): Promise<void> {
  const kept = file.content;
  if (kept === null || kept === 'damaged') return;
  const left = without(kept);
  if (left.entries.length < kept.entries.length) await file.replace(left);
}
