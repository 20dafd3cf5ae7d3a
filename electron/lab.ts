import { join } from 'node:path';
import { assertNever } from '../shared/assert-never.ts';
import { visibleLine } from '../shared/domain/visible-text.ts';
import { sentenceFor } from '../shared/failure-sentences.ts';
import { FailureError } from '../shared/failure.ts';
import { type LabCommand, labUsage, readLabArguments, WrongArguments } from './lab/command-line.ts';
import { addFiles, addToken, listTokens, removeToken, serve, sweepBlobs, type Terminal } from './lab/commands.ts';
import type { Lab } from './lab/lab.ts';
import { NothingPublished, publishFiles } from './lab/publish-command.ts';
import { UnreadableFile } from './lab/readable-file.ts';
import { LabIsRunning, serveHostChannel } from './lab/host-channel.ts';
import { defaultDataDirectory } from './platform/data-directory.ts';
import { openHostChannel } from './platform/host-channel.ts';
import { ignoreLostOutput, limitYoungGeneration } from './platform/process.ts';

/**
 * The lab: our own implementation of the services, always a process of its own. Started by Vitrine it talks over the
 * channel it was given; started by a person (`npm run lab -- --help`) it follows its arguments.
 */
const graceMs = 1_500;
const exitCodes = { done: 0, failed: 1, wrongArguments: 2 } as const;

const terminal: Terminal = {
  result: (line) => void process.stdout.write(`${line}\n`),
  remark: (line) => void process.stderr.write(`${line}\n`),
  report: (error) => void process.stderr.write(`lab: ${describe(error)}\n`),
};

async function main(args: string[]): Promise<void> {
  const command = readLabArguments(args, join(defaultDataDirectory(process.platform, process.env), 'lab'));
  if (command === null) return terminal.result(labUsage);
  await obey(command);
}

async function obey(command: LabCommand): Promise<void> {
  switch (command.kind) {
    case 'serve':
      return endOnSignals(await serve(command, terminal));
    case 'add':
      return addFiles(command, terminal);
    case 'publish':
      return publishFiles(command, terminal);
    case 'token-add':
      return addToken(command, terminal);
    case 'token-list':
      return listTokens(command, terminal);
    case 'token-remove':
      if (!(await removeToken(command))) throw new WrongArguments(`No token ${command.id}; see "token list".`);
      return;
    case 'sweep':
      return sweepBlobs(command, terminal);
    default:
      assertNever(command);
  }
}

/** Ctrl-C reaches a process of a group more than once when those above pass it on; closing has an end of its own. */
function endOnSignals(lab: Lab): void {
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await lab.close(graceMs);
    process.exit(exitCodes.done);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
}

const sayings = [WrongArguments, UnreadableFile, NothingPublished, LabIsRunning] as const;

/** What a person did wrong or a disk refused is a line; a defect is shown whole. */
function describe(error: unknown): string {
  if (error instanceof Error && sayings.some((saying) => error instanceof saying)) return visibleLine(error.message);
  if (!(error instanceof FailureError)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const { what, then } = sentenceFor(error.failure);
  return visibleLine(`${what}. ${then}`);
}

function exitWith(error: unknown): void {
  process.exitCode = error instanceof WrongArguments ? exitCodes.wrongArguments : exitCodes.failed;
  terminal.remark(describe(error));
}

limitYoungGeneration();
// A command whose result is lost has failed; a server continues, and ends with a code of its own.
ignoreLostOutput(process, () => {
  process.exitCode = exitCodes.failed;
});
const host = openHostChannel(process);
if (host === null) await main(process.argv.slice(2)).catch(exitWith);
else serveHostChannel(host, process, terminal.report);
