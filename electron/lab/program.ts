import { assertNever } from '../../shared/assert-never.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { FailureError } from '../../shared/failure.ts';
import { type LabTask, labUsage, readLabArguments, WrongArguments } from './command-line.ts';
import {
  addFiles,
  addToken,
  folderPlace,
  type LabPlace,
  listTokens,
  removeToken,
  serve,
  sweepBlobs,
  type Terminal,
  verifyBlobs,
} from './commands.ts';
import { OperatorError } from './errors.ts';
import { LabIsRunning } from './host-channel.ts';
import { NothingPublished, publishFiles } from './publish-command.ts';
import { UnreadableFile } from './readable-file.ts';
import { StoreUnavailable } from './stores/blob-store.ts';

/** What a person at a terminal, or a service manager, sees of a lab: lines, signals and exit codes. */
export const exitCodes = { done: 0, failed: 1, wrongArguments: 2 } as const;
/** Running downloads may end within it. */
const graceMs = 1_500;

export const ownTerminal: Terminal = {
  result: (line) => void process.stdout.write(`${line}\n`),
  remark: (line) => void process.stderr.write(`${line}\n`),
  report: (error) => void process.stderr.write(`lab: ${describe(error)}\n`),
};

/** The lab over a folder of this computer, as its arguments ask. */
export async function runLab(args: string[], defaultDirectory: string): Promise<void> {
  const command = readLabArguments(args, defaultDirectory);
  if (command === null) return ownTerminal.result(labUsage);
  if (command.kind !== 'serve') return obey(command, folderPlace(command.dataDirectory), ownTerminal);
  endOnSignals(await serve(command, ownTerminal), graceMs);
}

/** What a person asks for besides serving. */
export async function obey(
  task: Exclude<LabTask, { kind: 'serve' }>,
  place: LabPlace,
  terminal: Terminal,
): Promise<void> {
  switch (task.kind) {
    case 'add':
      return addFiles(task, place, terminal);
    case 'publish':
      return publishFiles(task, place, terminal);
    case 'token-add':
      return addToken(task, place, terminal);
    case 'token-list':
      return listTokens(place, terminal);
    case 'token-remove':
      return removeToken(task, place);
    case 'sweep':
      return sweepBlobs(task, place, terminal);
    case 'verify':
      return verifyBlobs(task, place, terminal);
    default:
      assertNever(task);
  }
}

/** Ctrl-C reaches a process of a group more than once when those above pass it on; closing has an end of its own. */
export function endOnSignals(lab: { close(graceMs: number): Promise<void> }, withinMs: number): void {
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await lab.close(withinMs);
    process.exit(exitCodes.done);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
}

const sayings = [
  WrongArguments,
  UnreadableFile,
  NothingPublished,
  LabIsRunning,
  StoreUnavailable,
  OperatorError,
] as const;

/** What a person did wrong or a disk refused is a line; a defect is shown whole. */
function describe(error: unknown): string {
  if (error instanceof Error && sayings.some((saying) => error instanceof saying)) return visibleLine(error.message);
  if (!(error instanceof FailureError)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const { what, then } = sentenceFor(error.failure);
  return visibleLine(`${what}. ${then}`);
}

/** Ends the process with the code that its arguments or what happened deserve. */
export function exitWith(error: unknown): void {
  process.exitCode = error instanceof WrongArguments ? exitCodes.wrongArguments : exitCodes.failed;
  ownTerminal.remark(describe(error));
}
