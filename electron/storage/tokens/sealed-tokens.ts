import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { fail } from '../../../shared/failure.ts';
import { readJson } from '../database/stored-json.ts';
import type { TokenFile } from './token-file.ts';

/**
 * The file of tokens sealed with a passphrase, version 1, as canonical JSON:
 *
 * - `salt`: 32 random bytes, new with every passphrase. scrypt (RFC 7914, N = 2^17, r = 8, p = 1) over the passphrase
 *   in Unicode NFKC gives the master key.
 * - `check` and `entries`: each a *box* under a key of its own, HKDF-SHA256 of the master key with 32 random bytes that
 *   are new at every sealing; AES-256-GCM with a random nonce; the format, version, salt and the entry's name are
 *   authenticated with it. `check` holds nothing: it distinguishes a right passphrase from a wrong one.
 * - `sha256` of everything before it: distinguishes a damaged file from a wrong passphrase.
 *
 * One box per entry, with names in clear text, so that a token can be deleted at once while the store is locked.
 */
const hex = (bytes: number): z.ZodString => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
const box = z.strictObject({
  salt: hex(32),
  nonce: hex(12),
  tag: hex(16),
  sealed: z.string().regex(/^([0-9a-f]{2})*$/),
});
const content = z.strictObject({
  format: z.literal('vitrine-sealed-tokens'),
  version: z.literal(1),
  salt: hex(32),
  check: box,
  entries: z.array(z.strictObject({ name: z.string(), box })),
});
const sealedFile = z.strictObject({ content, sha256: hex(32) });

type Box = z.infer<typeof box>;
export type SealedTokens = z.infer<typeof content>;
/** Made from the passphrase; kept in memory while the store is open. */
export type MasterKey = Buffer;

/** The N of scrypt in a file of version 1. */
const usualRounds = 2 ** 17;
const cost = { r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const checkLabel = 'check';

/** Takes about half a second of one core, off the event loop, and 128 MiB. Fewer rounds only in tests. */
export function masterKeyFor(passphrase: string, salt: string, rounds = usualRounds): Promise<MasterKey> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'hex'), 32, { ...cost, N: rounds }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

export const newSalt = (): string => randomBytes(32).toString('hex');

export function emptySealedTokens(key: MasterKey, salt: string): SealedTokens {
  return { format: 'vitrine-sealed-tokens', version: 1, salt, check: seal(key, salt, checkLabel, ''), entries: [] };
}

export const opensWith = (tokens: SealedTokens, key: MasterKey): boolean =>
  open(key, tokens.salt, checkLabel, tokens.check) !== null;

export function withToken(tokens: SealedTokens, key: MasterKey, name: string, value: string): SealedTokens {
  const { entries } = withoutToken(tokens, name);
  return { ...tokens, entries: [...entries, { name, box: seal(key, tokens.salt, entryLabel(name), value) }] };
}

/** Needs no key: a locked store forgets at once. */
export function withoutToken(tokens: SealedTokens, name: string): SealedTokens {
  return { ...tokens, entries: tokens.entries.filter((entry) => entry.name !== name) };
}

/** `absent`, or `damaged` when the box was changed or belongs to another name. */
export function tokenIn(
  tokens: SealedTokens,
  key: MasterKey,
  name: string,
): { state: 'found'; value: string } | { state: 'absent' | 'damaged' } {
  const entry = tokens.entries.find((one) => one.name === name);
  if (!entry) return { state: 'absent' };
  const value = open(key, tokens.salt, entryLabel(name), entry.box);
  return value === null ? { state: 'damaged' } : { state: 'found', value };
}

export function writeSealedTokens(tokens: SealedTokens): string {
  return `${JSON.stringify({ content: tokens, sha256: digestOf(tokens) })}\n`;
}

/** null when any byte is not as it was written. */
export function readSealedTokens(text: string): SealedTokens | null {
  const read = sealedFile.safeParse(readJson(text));
  return read.success && writeSealedTokens(read.data.content) === text ? read.data.content : null;
}

const entryLabel = (name: string): string => `entry ${name}`;
const digestOf = (tokens: SealedTokens): string => createHash('sha256').update(JSON.stringify(tokens)).digest('hex');
const boundTo = (salt: string, label: string): Buffer =>
  Buffer.from(JSON.stringify(['vitrine-sealed-tokens', 1, salt, label]));

function boxKey(key: MasterKey, boxSalt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.from(boxSalt, 'hex'), 'vitrine token', 32));
}

function seal(key: MasterKey, salt: string, label: string, value: string): Box {
  const boxSalt = newSalt();
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', boxKey(key, boxSalt), nonce).setAAD(boundTo(salt, label));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return {
    salt: boxSalt,
    nonce: nonce.toString('hex'),
    tag: cipher.getAuthTag().toString('hex'),
    sealed: sealed.toString('hex'),
  };
}

function open(key: MasterKey, salt: string, label: string, { salt: boxSalt, nonce, tag, sealed }: Box): string | null {
  const decipher = createDecipheriv('aes-256-gcm', boxKey(key, boxSalt), Buffer.from(nonce, 'hex'), {
    authTagLength: 16,
  });
  decipher.setAAD(boundTo(salt, label)).setAuthTag(Buffer.from(tag, 'hex'));
  const start = decipher.update(sealed, 'hex');
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    // The one thing `final` throws for: the bytes are not authentic under this key.
    return null;
  }
}

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

  /** The content, for sealing it again. Empty when there is no file, or it can no longer be read. */
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

  /** Deletes a locked file, whose passphrase is lost. */
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
