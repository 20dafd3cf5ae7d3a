import type { LookupResult } from '../../../shared/domain/lookup.ts';
import type { Failure, FailureKind } from '../../../shared/failure.ts';
import { FailureError } from '../../../shared/failure-error.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type GivenHashes, givenHashes, hashesFileFlag, hashesHelp } from '../given-hashes.ts';
import { inOrder } from '../in-order.ts';

/** The service answers several at a time, and is to be there for others too. */
const atOnce = 8;
/** Another hash would meet them too. */
const endsAll: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'token-missing',
  'token-for-other-host',
  'token-refused',
  'secrets-locked',
  'secrets-damaged',
  'keychain-failed',
  'unreachable',
  'not-trusted',
  'http-not-allowed',
  'lab-down',
  'lab-failed',
  'service-not-set',
  'workspace-missing',
  'host-gone',
  'data-gone',
  'data-not-held',
  'disk-full',
  'disk-failed',
  'not-writable',
  'unexpected',
]);

type Looked = { hash: string; result: LookupResult } | { hash: string; failure: FailureError['failure'] };

export const lookup: Command = {
  name: 'lookup',
  summary: 'look up hashes in the repository',
  usage: ['HASH...', '[--file FILE]'],
  about: `Shows the record of one hash, or one row for each of several.\n${hashesHelp}`,
  examples: ['vitrine lookup 44d88612fea8a8f36de82e1278abb02f', 'vitrine lookup < report.txt'],
  flags: { file: hashesFileFlag },
  run: async (run) => {
    const { hashes, code } = await givenHashes(run);
    const workspaceId = await run.workspaceId();
    const [only] = hashes;
    // What was not taken belongs to a list, however few are left of it.
    if (hashes.length === 1 && only !== undefined && code === exitCodes.done) return lookUpOne(run, workspaceId, only);
    return lookUpMany(run, workspaceId, { hashes, code });
  },
};

async function lookUpOne(run: CommandRun, workspaceId: string, hash: string): Promise<ExitCode> {
  if (run.terminal.isJson) return tell(run, await looked(run, workspaceId, hash));
  // Loaded while the service answers.
  const loaded = import('../sample-record.ts');
  const result = await run.ask('samples.lookup', { workspaceId, hash });
  for (const line of (await loaded).recordLines(result)) await run.terminal.line(line);
  return exitCodes.done;
}

async function lookUpMany(run: CommandRun, workspaceId: string, { hashes, code }: GivenHashes): Promise<ExitCode> {
  const { gravestOf } = await import('../exit-code-of.ts');
  const met = new Set<ExitCode>([code]);
  let told = 0;
  for await (const one of inOrder(hashes, atOnce, (hash) => looked(run, workspaceId, hash))) {
    run.signal.throwIfAborted();
    met.add(await tell(run, one));
    told += 1;
    run.terminal.progress(`Looked up ${told.toLocaleString('en')} of ${hashes.length.toLocaleString('en')}`);
  }
  return gravestOf([...met]);
}

async function looked(run: CommandRun, workspaceId: string, hash: string): Promise<Looked> {
  run.signal.throwIfAborted();
  try {
    return { hash, result: await run.ask('samples.lookup', { workspaceId, hash }) };
  } catch (error) {
    if (!(error instanceof FailureError) || endsAll.has(error.failure.kind)) throw error;
    return { hash, failure: error.failure };
  }
}

async function tell({ terminal }: CommandRun, one: Looked): Promise<ExitCode> {
  if (terminal.isJson) await terminal.json(one);
  if ('result' in one) {
    if (!terminal.isJson) await terminal.line((await import('../sample-record.ts')).recordLine(one.hash, one.result));
    return exitCodes.done;
  }
  const { exitCodeOf } = await import('../exit-code-of.ts');
  const code = exitCodeOf(one.failure);
  if (!terminal.isJson) {
    const { sentenceFor } = await import('../../../shared/failure-sentences.ts');
    await terminal.line(`${one.hash}  ${wordOf(one.failure, code)}  ${sentenceFor(one.failure).what}`);
  }
  return code;
}

/** A repository that is asked by MD5 alone was not asked for another hash whose MD5 is not known here. */
function wordOf({ kind }: Failure, code: ExitCode): string {
  if (kind === 'needs-md5') return 'not asked';
  return code === exitCodes.notFound ? 'unknown' : 'failed';
}
