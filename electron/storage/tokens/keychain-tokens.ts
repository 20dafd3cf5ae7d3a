import { z } from 'zod';
import { fail, FailureError } from '../../../shared/failure.ts';
import { readJson } from '../database/stored-json.ts';
import type { Keychain } from './keychain.ts';
import type { TokenFile, TokenFormat } from './token-file.ts';

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

  /** Starts a new file over a damaged one, which is moved aside. */
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

  /** A keychain refuses in its own words, which may contain anything: only the error's name is passed on. */
  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch {
      throw new FailureError({ kind: 'keychain-failed', backend: this.#keychain.backend });
    }
  }
}
