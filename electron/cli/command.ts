import type { ParseArgsOptionsConfig } from 'node:util';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { Diagnosing } from './diagnosing.ts';
import type { Door } from './door.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Restoring, Verifying } from './restoring.ts';
import type { Terminal } from './terminal.ts';

/** Options that were given, by their long names. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What a command is run with. */
export interface CommandRun {
  /** What follows the command's name and is no option. */
  args: readonly string[];
  options: OptionValues;
  terminal: Terminal;
  /** Secrets of the environment, by the names of their variables: it has them no more. */
  secrets: ReadonlyMap<string, string>;
  /** Aborted by Ctrl-C. Whoever waits for a job pauses it then and says how to go on with it. */
  signal: AbortSignal;
  /** Opened when it is first asked for: what is wrong with the command line is told without it. */
  door(): Promise<Door>;
  /** Throws the operation's failure. */
  ask<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>>;
  /** The workspace that was named (by name or id), or the current one. @throws Told where there is none of that name */
  workspaceId(): Promise<string>;
  /** Into the data directory that was named, or the usual one. Opens no door. */
  restore: Restoring;
  /** Opens no door. */
  verifyBackup: Verifying;
  /** Opens no data. */
  diagnosing: Diagnosing;
}

/** How a command is used with a word behind its name, such as "verify" behind "journal". */
export interface CommandWord {
  /** Of the options of its command, those that it takes. */
  options: readonly string[];
  /** How many arguments may follow it. */
  most: number;
}

/** One word behind `vitrine`. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Shown by `vitrine NAME --help`, without the options that every command has. */
  usage: string;
  /**
   * Besides those that every command has: `--json`, `--workspace`, `--data`, `--quiet`, `--help`, and where tokens and
   * the passphrase are.
   */
  options: ParseArgsOptionsConfig;
  /**
   * By the words behind its name; `''` stands for none, and where that one takes arguments for any other. Left out:
   * they are all arguments.
   */
  words?: Readonly<Record<string, CommandWord>>;
  run(run: CommandRun): Promise<ExitCode>;
}
