/** How one entry of a ZIP is decrypted; `EntryEncryption` is the way there. */
export interface EntryDecryption {
  /** Bytes before the entry's own, by which a password is tried, and behind them. */
  headBytes: number;
  tailBytes: number;
  /** A password that passes is the right one but for one in 65,536; else one in 256. */
  isSure: boolean;
  /** The bytes prove themselves at their end, and no CRC is needed: AE-2 has none. */
  authenticates: boolean;
  /** Null when the password is not the right one. */
  open(password: string, head: Uint8Array): Promise<EntryDecipher | null>;
}

export interface EntryDecipher {
  /** Decrypts in place. A piece lies at a multiple of four in its buffer; all but the last are multiples of 64 KiB. */
  update(piece: Uint8Array<ArrayBuffer>): void;
  /** Whether the bytes are those that were encrypted, where the encryption can tell. */
  isAuthentic(tail: Uint8Array): boolean;
}
