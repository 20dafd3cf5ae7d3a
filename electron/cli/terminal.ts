/**
 * How lists are written: `plain` for programs that read lines, with tabs between the cells; `table` for people; else
 * as values of JSON.
 */
export type Layout = 'table' | 'plain' | 'csv' | 'json';
/** What a line looks like in a terminal that shows colors. */
export type Style = 'head' | 'alarm' | 'problem' | 'quiet';

/** `--format`. null: a table in a terminal, plain elsewhere. */
export const outputFormats = ['table', 'json', 'jsonl', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/**
 * What a command writes to and reads from. Text from a service or a file's name is made visible and harmless before it
 * gets here.
 */
export interface Terminal {
  readonly layout: Layout;
  /** `layout` is `json`: machines read the output. */
  readonly isJson: boolean;
  /** The output is values: JSON, or CSV. */
  readonly isData: boolean;
  /** How wide a table may be; null: of any width. */
  readonly columns: number | null;
  /** Resolves when the output can take more. The process exits with `brokenPipe` if the reader closed the output. */
  line(text: string, style?: Style | null): Promise<void>;
  /** One value of a list. */
  json(value: unknown): Promise<void>;
  /** The only value of a command: with CSV a head and a row. */
  value(value: object): Promise<void>;
  /** After the last value of a command. `isDone`: it did not fail. */
  end(isDone: boolean): Promise<void>;
  /** Bytes as they are, for `--out -`. */
  bytes(bytes: Uint8Array): Promise<void>;
  /** A sentence on standard error, on one line: a line end in it is escaped. Nothing with `--quiet`. */
  print(text: string): void;
  /** The same, also with `--quiet`: a failure. */
  complain(text: string): void;
  /**
   * Replaces the line of progress on standard error; null takes it away. Nothing where that is no terminal, and with
   * `--quiet`.
   */
  progress(text: string | null): void;
  /** Asks a person, yes or no; null where there is no one to ask. */
  ask(question: string): Promise<boolean | null>;
  /** Standard input in pieces, where it is a file or a pipe; null where it is a terminal. */
  input(): AsyncIterable<Uint8Array> | null;
}
