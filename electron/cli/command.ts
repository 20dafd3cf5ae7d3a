import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { HostClient } from './client.ts';
import type { ExitCode } from './exit.ts';
import type { Diagnosing, Restoring, Verifying } from './offline.ts';
import type { Terminal } from './terminal.ts';

/** Options that were given, by their long names. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What a command is run with. */
export interface CommandRun {
  /** What follows the command's name and is no option. */
  args: readonly string[];
  /** All commands, as the help lists them. */
  commands: Commands;
  options: OptionValues;
  terminal: Terminal;
  /** Secrets of the environment, by the names of their variables: it has them no more. */
  secrets: ReadonlyMap<string, string>;
  /** Aborted by Ctrl-C. A command that waits for a job pauses it then and shows how to resume it. */
  signal: AbortSignal;
  /** Opened at its first use: what is wrong with the command line is reported without it. */
  client(): Promise<HostClient>;
  /** Throws the operation's failure. */
  ask<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>>;
  /**
   * The workspace that was named (by name or id), or the current one.
   *
   * @throws ExitError where there is none of that name
   */
  workspaceId(): Promise<string>;
  /** Into the data directory that was named, or the usual one. Opens no client. */
  restore: Restoring;
  /** Opens no client. */
  verifyBackup: Verifying;
  /** Opens no data. */
  diagnosing: Diagnosing;
}

/** An option, as the help, the completion and the parser have it. */
export interface Flag {
  /** What its value is called; left out: it takes none. */
  value?: string;
  short?: string;
  /** It may be given more than once. */
  multiple?: true;
  /** Completion offers these values. */
  choices?: readonly string[];
  /** Without a full stop. */
  text: string;
}

/** By their long names, in the order of the help. */
export type Flags = Readonly<Record<string, Flag>>;

/** What the help shows of a command or of a sub-command. */
export interface Topic {
  /** One line for lists of commands, without a full stop. */
  summary: string;
  /** What follows its name, one entry for each way to use it. */
  usage: readonly string[];
  /** Paragraphs; lines are wrapped where they are shown. */
  about?: string;
  /** Command lines that work when pasted. */
  examples: readonly string[];
  /** Without those that every command has. */
  flags?: Flags;
  /** Completion offers these for its first argument, its second and so on. */
  values?: readonly (readonly string[])[];
}

/** A sub-command, such as "verify" of "journal". */
export interface SubCommand extends Topic {
  /** How many arguments may follow it. */
  most: number;
  /** It passes given tokens on by itself, so that a Vitrine that is open takes them too. */
  passesTokens?: true;
}

/** One word behind `vitrine`. */
export interface Command extends Topic {
  name: string;
  words?: Readonly<Record<string, SubCommand>>;
  /** Earlier names of sub-commands, each with the present one: scripts have them; neither help nor completion does. */
  aliases?: Readonly<Record<string, string>>;
  /**
   * How many arguments may follow it where they are no sub-command. Left out: one of its sub-commands is needed, if it
   * has any; else everything is an argument.
   */
  most?: number;
  run(run: CommandRun): Promise<ExitCode>;
}

/** The parts of the list that `--help` shows. */
export type CommandGroup = 'SAMPLES' | 'RULES' | 'SHARE' | 'DATA' | 'SETUP';

export interface ListedCommand {
  group: CommandGroup;
  summary: string;
  /** Its arguments may be a library query, whose terms may begin with a minus. */
  takesQuery?: true;
  load(): Promise<Command>;
}

export type Commands = Readonly<Record<string, ListedCommand>>;
