const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const dash = 0x2d;
const paddings: ReadonlySet<number> = new Set([0x20, 0x09]);

/**
 * Looks at what follows each delimiter of a multipart body while it comes (RFC 2046, section 5.1.1): the end of its
 * line, behind padding or not, or two dashes. Of a body where something else follows the parser makes one thing or
 * another, by how the bytes were cut on their way.
 */
export class DelimiterCheck {
  readonly #delimiter: Buffer;
  /** What may be the beginning of one. The body itself begins behind the end of a line. */
  #held: Buffer = Buffer.from('\r\n');
  #isOver = false;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** @returns whether every delimiter that is whole by now is one */
  take(chunk: Uint8Array): boolean {
    const bytes = Buffer.concat([this.#held, chunk]);
    let from = 0;
    while (!this.#isOver) {
      const at = bytes.indexOf(this.#delimiter, from);
      const behind = at + this.#delimiter.length;
      if (at < 0 || behind + 2 > bytes.length) {
        this.#held = bytes.subarray(at < 0 ? Math.max(from, bytes.length - this.#delimiter.length + 1) : at);
        return true;
      }
      if (!this.#isEnd(bytes[behind], bytes[behind + 1])) return false;
      from = behind;
    }
    return true;
  }

  /** Behind the last one anything may follow. */
  #isEnd(first = 0, second = 0): boolean {
    this.#isOver = first === dash && second === dash;
    return this.#isOver || paddings.has(first) || (first === carriageReturn && second === lineFeed);
  }
}
