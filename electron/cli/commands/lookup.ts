import type { LookupResult } from '../../../shared/domain/sample.ts';
import { type Failure, FailureError, type FailureKind } from '../../../shared/failure.ts';
import { inOrder } from '../../base/in-order.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { type GivenHashes, givenHashes, hashesFileFlag, hashesHelp } from '../given-hashes.ts';
import type { Column } from '../records.ts';

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
  'client-certificate',
  'client-certificate-unreadable',
  'front-login',
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
  const { terminal } = run;
  if (terminal.isData) return lookUpMany(run, workspaceId, { hashes: [hash], code: exitCodes.done });
  // Loaded while the service answers.
  const loaded = Promise.all([import('../sample-record.ts'), import('../records.ts')]);
  const result = await run.ask('samples.lookup', { workspaceId, hash });
  const [{ recordFacts, recordLabelWidth }, { showFacts }] = await loaded;
  await showFacts(terminal, recordFacts(result), recordLabelWidth);
  return exitCodes.done;
}

async function lookUpMany(run: CommandRun, workspaceId: string, { hashes, code }: GivenHashes): Promise<ExitCode> {
  const { terminal } = run;
  const [{ exitCodeOf, mostSevereOf }, { Records }, { reasonOf }] = await Promise.all([
    import('../exit-code-of.ts'),
    import('../records.ts'),
    import('../reason.ts'),
  ]);
  const records = new Records(terminal, columnsWith(reasonOf), ({ status }: Row) => stylesOf[status]);
  const met = new Set<ExitCode>([code]);
  let done = 0;
  for await (const one of inOrder(hashes, atOnce, (hash) => looked(run, workspaceId, hash))) {
    run.signal.throwIfAborted();
    if ('failure' in one) met.add(exitCodeOf(one.failure));
    await (terminal.isJson ? terminal.json(one) : records.add({ ...one, status: statusOf(one) }));
    done += 1;
    terminal.progress(`Looked up ${done.toLocaleString('en')} of ${hashes.length.toLocaleString('en')}`);
  }
  terminal.progress(null);
  if (!terminal.isJson) await records.end();
  return mostSevereOf([...met]);
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

/** As the outcomes of a download are called. */
type Status = 'found' | 'unknown' | 'forbidden' | 'needs-md5' | 'failed';
type Row = Looked & { status: Status };

const statusByFailure: Partial<Record<FailureKind, Status>> = {
  'unknown-hash': 'unknown',
  'unknown-behind-warning': 'unknown',
  forbidden: 'forbidden',
  'forbidden-or-unknown': 'forbidden',
  'needs-md5': 'needs-md5',
};
const statusOf = (one: Looked): Status => ('result' in one ? 'found' : (statusByFailure[one.failure.kind] ?? 'failed'));
const stylesOf = {
  found: null,
  unknown: 'quiet',
  forbidden: 'problem',
  'needs-md5': 'quiet',
  failed: 'problem',
} as const;

function columnsWith(reasonOf: (failure: Failure) => string): Column<Row>[] {
  const recordOf = (row: Row): LookupResult['record'] | null => ('result' in row ? row.result.record : null);
  const failureOf = (row: Row): Failure | null => ('failure' in row ? row.failure : null);
  const localSize = (row: Row): number | null => ('result' in row ? row.result.local.sizeBytes : null);
  return [
    { head: 'HASH', value: ({ hash }) => hash, cut: 'hash', isOwn: true },
    { head: 'STATUS', value: ({ status }) => status, isOwn: true },
    { head: 'SEVERITY', value: (row) => recordOf(row)?.criticity ?? null, isOwn: true },
    { head: 'SIZE', value: (row) => recordOf(row)?.sizeBytes ?? localSize(row), align: 'right' },
    { head: 'TYPE', value: (row) => recordOf(row)?.mime ?? null, cut: 'text' },
    { head: 'THREAT', value: (row) => recordOf(row)?.threat ?? null, cut: 'text' },
    { head: 'NAME', value: (row) => recordOf(row)?.name ?? null, cut: 'text', isMain: true },
    {
      head: 'REASON',
      value: (row) => {
        const failure = failureOf(row);
        return failure === null ? null : reasonOf(failure);
      },
      cut: 'text',
      isOwn: true,
    },
  ];
}
