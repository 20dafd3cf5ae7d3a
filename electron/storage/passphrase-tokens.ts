import { fail } from '../../shared/failure.ts';
import {
  emptySealedTokens,
  type MasterKey,
  masterKeyFor,
  newSalt,
  opensWith,
  type SealedTokens,
  tokenIn,
  usualRounds,
  withToken,
} from './sealed-tokens.ts';
import type { TokenFile } from './token-file.ts';

const shortestPassphrase = 8;

/** Tokens in a file sealed with a passphrase; locked until it is given. */
export class PassphraseTokens {
  readonly #file: TokenFile<SealedTokens>;
  readonly #rounds: number;
  #key: MasterKey | null = null;

  /** `rounds` of scrypt: fewer only in tests. */
  constructor(file: TokenFile<SealedTokens>, rounds = usualRounds) {
    this.#file = file;
    this.#rounds = rounds;
  }

  get exists(): boolean {
    return this.#file.content !== null;
  }

  get state(): 'open' | 'locked' | 'damaged' {
    if (this.#file.content === 'damaged') return 'damaged';
    return this.#key === null ? 'locked' : 'open';
  }

  get(name: string): string | null {
    const { tokens, key } = this.#opened();
    const found = tokenIn(tokens, key, name);
    if (found.state === 'damaged') return fail({ kind: 'secrets-damaged', path: this.#file.path });
    return found.state === 'found' ? found.value : null;
  }

  async set(name: string, value: string): Promise<void> {
    const { tokens, key } = this.#opened();
    await this.#file.replace(withToken(tokens, key, name, value));
  }

  names(): string[] {
    const kept = this.#file.content;
    return kept === null || kept === 'damaged' ? [] : kept.entries.map(({ name }) => name);
  }

  /** What is in it, for sealing it anew. Empty when there is no file, or one that cannot be read any more. */
  all(): Map<string, string> {
    if (!this.exists || this.#file.content === 'damaged') return new Map();
    return new Map(this.names().map((name) => [name, this.get(name) ?? '']));
  }

  /** Seals these tokens, and no others, with a new passphrase. Fails with `passphrase-short`. */
  async create(passphrase: string, values: ReadonlyMap<string, string>): Promise<void> {
    if (Array.from(passphrase).length < shortestPassphrase)
      fail({ kind: 'passphrase-short', minimum: shortestPassphrase });
    const salt = newSalt();
    const key = await masterKeyFor(passphrase, salt, this.#rounds);
    let tokens = emptySealedTokens(key, salt);
    for (const [name, value] of values) tokens = withToken(tokens, key, name, value);
    await this.#file.replace(tokens);
    this.#key = key;
  }

  /** Fails with `passphrase-wrong` or `secrets-damaged`. */
  async unlock(passphrase: string): Promise<void> {
    const tokens = this.#readable();
    const key = await masterKeyFor(passphrase, tokens.salt, this.#rounds);
    if (!opensWith(tokens, key)) fail({ kind: 'passphrase-wrong' });
    this.#key = key;
  }

  /** Deletes a file that is locked: nobody knows its passphrase any more. */
  async forget(): Promise<void> {
    if (this.exists && this.state === 'locked') await this.#file.remove();
  }

  #opened(): { tokens: SealedTokens; key: MasterKey } {
    const tokens = this.#readable();
    return { tokens, key: this.#key ?? fail({ kind: 'secrets-locked' }) };
  }

  #readable(): SealedTokens {
    const kept = this.#file.content;
    if (kept === null || kept === 'damaged') return fail({ kind: 'secrets-damaged', path: this.#file.path });
    return kept;
  }
}
