/**
 * What a command writes to and reads from. Text from a service or a file's name is made visible and inert before it
 * gets here.
 */
export interface Terminal {
  /** `--json`: machines read the output, a JSON value a line. */
  readonly isJson: boolean;
  /** Resolves when there is room for more. After whoever reads it went away the process ends with `brokenPipe`. */
  line(text: string): Promise<void>;
  json(value: unknown): Promise<void>;
  /** Bytes as they are, for `--out -`. */
  bytes(bytes: Uint8Array): Promise<void>;
  /** A sentence on standard error; nothing with `--quiet`. */
  say(text: string): void;
  /** A sentence on standard error, always: a failure. */
  complain(text: string): void;
  /**
   * Replaces the line of progress on standard error; null takes it away. Nothing where that is no terminal, and with
   * `--quiet`.
   */
  progress(text: string | null): void;
  /** Whether the output goes to a person. */
  readonly isPerson: boolean;
  /** Asks a person, yes or no; null where there is nobody to ask. */
  ask(question: string): Promise<boolean | null>;
  /** Standard input in pieces, where it is a file or a pipe; null where it is a terminal. */
  input(): AsyncIterable<Uint8Array> | null;
}
