import { join } from 'node:path';
import { currentTime } from '../../../shared/domain/clock.ts';
import { counted } from '../../../shared/failure-sentence.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { HostClient } from '../client.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes, ExitError, wrongUsage } from '../exit.ts';
import { explainFailure } from '../explained-failure.ts';
import { makeFolder, pathOf } from '../given-files.ts';
import { untilInterrupted } from '../interruption.ts';
import type { MadeDiagnostics } from '../offline.ts';
import { isGiven, textOf } from '../option-values.ts';
import { forceFlag, type OutputFile, outputFolder, refuseExisting, writeOut } from '../output-file.ts';

/** For the whole request: an open Vitrine that hangs never answers. */
const answersWithinMs = 60_000;

export const diagnostics: Command = {
  name: 'diagnostics',
  summary: 'save a ZIP for a bug report',
  usage: ['[FILE] [--force]', '--to DIR'],
  about:
    'The ZIP holds the filtered log, versions, settings, recent failures, and the state of jobs and database. ' +
    'It holds no tokens, addresses, names, hashes, tags, comments or rules. Nothing is sent. Without FILE it ' +
    'is vitrine-diagnostics-TIME.zip in the current folder; "-" is stdout. It also works if Vitrine is not ' +
    'open or the data cannot be opened: unreadable parts are listed, and the rest is saved.',
  examples: ['vitrine diagnostics', 'vitrine diagnostics --to reports/'],
  flags: { to: { value: 'DIR', text: 'folder for the ZIP; created if missing' }, force: forceFlag },
  run: async (run) => {
    const file = await wantedFile(run);
    await refuseExisting(run.terminal, file);
    const host = await run.diagnosing.openRunning();
    try {
      const made = host === null ? null : await madeBy(host, run, file);
      return await write(run, file, {
        from: made === null ? 'folder' : 'program',
        made: made ?? (await run.diagnosing.collect()),
      });
    } finally {
      await host?.close();
    }
  },
};

async function wantedFile({ args, options }: CommandRun): Promise<OutputFile> {
  const [path, ...more] = args;
  const folder = textOf(options, 'to');
  if (more.length > 0 || (path !== undefined && folder !== null)) wrongUsage('name one file, or a folder with --to');
  const isForced = isGiven(options, 'force');
  if (folder !== null) await makeFolder(pathOf(folder));
  const own = `vitrine-diagnostics-${currentTime()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')}.zip`;
  if (path === undefined) return { out: join(folder ?? '', own), isForced };
  return { out: path === '-' ? path : pathOf(path), isForced };
}

/**
 * By the open program, which knows its recent failures; null where it fails or is too slow.
 *
 * @throws ExitError where the file would come back into the watched folder
 */
async function madeBy(host: HostClient, run: CommandRun, file: OutputFile): Promise<MadeDiagnostics | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(late.resolve, answersWithinMs, null);
  try {
    return await untilInterrupted(run.signal, Promise.race([savedBy(host, run, file), late.promise]));
  } finally {
    clearTimeout(timer);
  }
}

async function savedBy(host: HostClient, run: CommandRun, file: OutputFile): Promise<MadeDiagnostics | null> {
  const folder = await outputFolder({ client: async () => host }, file);
  const answer = await host.call('diagnostics.save', { to: 'command-line', ...folder });
  if (!answer.ok && answer.failure.kind === 'export-into-watched')
    throw new ExitError(explainFailure(answer.failure, run.terminal));
  if (!answer.ok || answer.value.saved?.kind !== 'browser') return null;
  const { id, fileName } = answer.value.saved;
  const pieces = await wholeExport(host, id);
  return pieces === null
    ? null
    : {
        fileName,
        missing: answer.value.missing,
        bytes: async function* bytes() {
          yield* pieces;
        },
      };
}

/**
 * A few megabytes at most, read before any are written, so that the folder can be read instead; null where the program
 * fails on the way.
 */
async function wholeExport(host: HostClient, id: string): Promise<Uint8Array[] | null> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of host.take(id)) pieces.push(piece);
    return pieces;
  } catch (error) {
    if (error instanceof FailureError) return null;
    throw error;
  }
}

async function write(
  run: CommandRun,
  file: OutputFile,
  { from, made }: { from: 'program' | 'folder'; made: MadeDiagnostics },
): Promise<ExitCode> {
  const { terminal } = run;
  const bytes = await writeOut(run, file, made.bytes());
  for (const { part, reason } of made.missing) terminal.complain(`Not included: ${part} (${reason})`);
  if (file.out === '-') return exitCodes.done;
  if (terminal.isData) await terminal.value({ file: file.out, bytes, from, missing: made.missing });
  else await terminal.line(`${file.out}  ${counted(bytes, 'byte')}`);
  return exitCodes.done;
}
