/** Some bytes of a file. In bytes. */
export interface ByteSpan {
  offset: number;
  length: number;
}

/** Bytes that are tinted, such as those where a string of a rule matched. */
export interface HexMark extends ByteSpan {
  /** As `$key`: shown while the cursor is in the current one. */
  label: string;
}
