import { join, resolve } from 'node:path';
import type {
  BundleFacts,
  BundleOpening,
  BundleParts,
  BundleSigner,
  WorkspaceChanges,
} from '../../../shared/domain/bundle.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { counted, many } from '../../../shared/failure-sentence.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { checkInput } from '../checked-input.ts';
import { neededTermsOf, ofMatches } from '../chosen-samples.ts';
import { newsOf, stagedFile } from '../client.ts';
import type { Command, CommandRun, Flags } from '../command.ts';
import { exitCodeOf, mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { factsOf, makeFolder } from '../given-files.ts';
import { endOf } from '../job-waiting.ts';
import { isGiven, neededText, textOf } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { secretInput } from '../secret-input.ts';
import type { Terminal } from '../terminal.ts';

/**
 * What a bundle is, and what its import into a workspace would change. `tell` writes a line where a person reads it.
 * @throws FailureError `workspace-missing`
 */
export async function showBundle(
  terminal: Terminal,
  { workspaces, ...facts }: BundleFacts,
  workspaceId: string,
  report: (text: string) => Promise<void> | void,
): Promise<void> {
  const there =
    workspaces.find((one) => one.workspaceId === workspaceId) ?? fail({ kind: 'workspace-missing', id: workspaceId });
  const { records, comments, rules } = there;
  if (terminal.isData)
    return terminal.value({
      ...facts,
      workspace: workspaceId,
      changes: { ...facts.changes, records, comments, rules },
    });
  for (const line of [...ofItself(facts), ...ofChanges(facts, there)]) await report(visibleLine(line));
}

const standings = {
  own: 'this computer',
  known: 'known: bundles of this key were imported before',
  new: 'NEW: compare the fingerprint with its author over another channel',
} as const satisfies Record<BundleFacts['signer']['standing'], string>;

const standingOf = ({ standing, isNamesake }: BundleSigner): string =>
  isNamesake
    ? 'NEW, and this name is known with ANOTHER KEY: compare the fingerprint with its author over another channel'
    : standings[standing];

function ofItself({
  title,
  created,
  signer,
  samples,
  withBytes,
  bytes,
  parts,
}: Omit<BundleFacts, 'workspaces'>): string[] {
  const { notes, threads, rules } = parts;
  const said = Object.entries({ notes, comments: threads, rules }).flatMap(([part, isIn]) => (isIn ? [part] : []));
  return [
    title,
    `created    ${created}`,
    `signed by  ${signer.name}  (${standingOf(signer)})`,
    `           ${signer.fingerprint}`,
    `contains   ${counted(samples, 'sample')}, ${many(withBytes)} with ` +
      `${withBytes === 1 ? 'its file' : 'their files'} (${counted(bytes, 'byte')})` +
      (said.length === 0 ? '' : `; ${said.join(', ')}`),
  ];
}

function ofChanges(
  { changes: { samples, tags, notes, tlps } }: Omit<BundleFacts, 'workspaces'>,
  { records, comments, rules }: WorkspaceChanges,
): string[] {
  return [
    `samples    ${many(samples.new)} new, ${many(samples.same)} already known; ` +
      `${counted(samples.newBytes, 'new sample file')} (${counted(samples.bytes, 'byte')})${leftOut(samples)}`,
    `records    ${many(records.new)} new, ${many(records.newer)} newer, ${many(records.same)} unchanged, ` +
      `${many(records.older)} older${leftOut(records)}`,
    `tags       ${many(tags.new)} new`,
    `notes      ${many(notes.new)} new, ${many(notes.added)} appended, ${many(notes.same)} unchanged`,
    `comments   ${many(comments.new)} new, ${many(comments.same)} unchanged`,
    `TLPs       ${many(tlps.stricter)} stricter, ${many(tlps.same)} unchanged`,
    `rules      ${rules === null ? 'none' : `${rules.version} (${rules.state})`}`,
  ];
}

const leftOut = ({ contradicting }: { contradicting: number }): string =>
  contradicting === 0
    ? ''
    : `; ${many(contradicting)} skipped: ${contradicting === 1 ? 'it contradicts' : 'they contradict'} local data`;

export interface OpenedBundle {
  id: string;
  facts: BundleFacts;
}

/**
 * Reads a bundle from end to end, before anything is changed.
 *
 * @throws FailureError why it is refused; `cancelled` where a person closed it
 */
export async function openedBundle(run: CommandRun, stagedId: string, passphrase: string): Promise<OpenedBundle> {
  const client = await run.client();
  const news = await newsOf(client, 'bundles.changed', () => true);
  let id: string | null = null;
  try {
    const begun = await run.ask('bundles.open', { stagedId, passphrase });
    id = begun.id;
    for (let opening: BundleOpening | null = begun; ;) {
      if (opening === null || opening.id !== begun.id) fail({ kind: 'cancelled' });
      if (opening.state !== 'reading') return readyOf(opening);
      run.terminal.progress(progressOf(opening));
      await news.next(run.signal);
      ({ opening } = await run.ask('bundles.opening', {}));
    }
  } catch (error) {
    if (id !== null) await client.call('bundles.close', { id });
    throw error;
  } finally {
    news.stop();
    run.terminal.progress(null);
  }
}

function readyOf({ id, facts, failure }: BundleOpening): OpenedBundle {
  if (failure) throw new FailureError(failure);
  return { id, facts: facts ?? fail({ kind: 'bundle-not-ready' }) };
}

const progressOf = ({ readBytes, sizeBytes }: BundleOpening): string =>
  `Reading: ${sizeBytes === 0 ? 0 : Math.min(99, Math.floor((100 * readBytes) / sizeBytes))} %`;

const passphraseFlag: Flags = {
  'bundle-passphrase-file': { value: 'FILE', text: 'passphrase; - for stdin; or set VITRINE_BUNDLE_PASSPHRASE' },
};

export const bundle: Command = {
  name: 'bundle',
  summary: 'carry samples across an air gap in one signed file',
  usage: [],
  about:
    'A bundle holds samples with their records and tags, signed and encrypted with a passphrase. Set ' +
    'VITRINE_BUNDLE_PASSPHRASE first, or use --bundle-passphrase-file.',
  examples: [
    'vitrine bundle write glasswing --title Glasswing --author CERT --out usb/',
    'vitrine bundle import usb/20261129T184756Z_1.vitrine-bundle',
  ],
  words: {
    write: {
      summary: 'write a bundle',
      usage: ['QUERY... --title TITLE --author NAME --out DIR [flags]'],
      examples: ['vitrine bundle write glasswing --title Glasswing --author CERT --out usb/'],
      flags: {
        title: { value: 'TITLE', text: 'title of the bundle' },
        author: { value: 'NAME', text: 'author of the bundle' },
        out: { value: 'DIR', text: 'folder for the file; created if missing' },
        'only-facts': { text: 'leave out the sample files' },
        notes: { text: 'include local notes' },
        comments: { text: 'include comments from services' },
        rules: { text: 'include the active rule package' },
        ...passphraseFlag,
      },
      most: Infinity,
    },
    show: {
      summary: 'verify a bundle and show what it would change',
      usage: ['FILE'],
      examples: ['vitrine bundle show usb/20261129T184756Z_1.vitrine-bundle'],
      flags: passphraseFlag,
      most: 1,
    },
    import: {
      summary: 'show what a bundle would change, ask, and import it',
      usage: ['FILE [--yes]'],
      examples: ['vitrine bundle import usb/20261129T184756Z_1.vitrine-bundle'],
      flags: { yes: { text: 'do not ask for confirmation' }, ...passphraseFlag },
      most: 1,
    },
    signer: {
      summary: "show the fingerprint of this computer's key",
      usage: [''],
      examples: ['vitrine bundle signer'],
      most: 0,
    },
  },
  run: async (run) => {
    const [verb, ...words] = run.args;
    switch (verb) {
      case 'write':
        return write(run, words);
      case 'show':
        return show(run, oneOf(words));
      case 'import':
        return take(run, oneOf(words));
      case 'signer':
        return showSigner(run);
      default:
        return wrongUsage('missing command: one of write, show, import, signer');
    }
  },
};

function oneOf([path, ...more]: readonly string[]): string {
  return path === undefined || path === '' || more.length > 0 ? wrongUsage('name one bundle file') : path;
}

const passphraseOf = (run: CommandRun): Promise<string> =>
  secretInput(run, {
    option: 'bundle-passphrase-file',
    variable: 'VITRINE_BUNDLE_PASSPHRASE',
    what: 'passphrase of the bundle',
  });

async function write(run: CommandRun, words: readonly string[]): Promise<ExitCode> {
  if (words.length === 0) wrongUsage('give a query that selects the samples');
  const terms = neededTermsOf(words);
  const [title, author, out] = [
    neededText(run.options, 'title'),
    neededText(run.options, 'author'),
    neededText(run.options, 'out'),
  ];
  const { bundleAuthor, bundleTitle } = await import('../../../shared/domain/bundle.ts');
  checkInput(bundleTitle, title, { '': '--title' });
  checkInput(bundleAuthor, author, { '': '--author' });
  const passphrase = await passphraseOf(run);
  const workspaceId = await run.workspaceId();
  await makeFolder(resolve(out));
  const folder = await (await run.client()).nameFolder(resolve(out));
  const selection: LibrarySelection = { kind: 'query', terms, except: [] };
  const order = { selection, parts: partsOf(run), title, author, passphrase, workspaceId, folder };
  const begun = await ofMatches(run.terminal, run.ask('bundles.start', order));
  const { task, counts, id } = await endOf(
    run,
    begun,
    await howToGoOn(run, 'Write the bundle again: nothing was left in the folder.'),
  );
  const file = task.kind === 'bundle' ? task.result : null;
  if (counts.failed > 0)
    run.terminal.complain(
      `${counted(counts.failed, 'sample')} ${counts.failed === 1 ? 'is' : 'are'} incomplete in the bundle. ` +
        'See Activity or the journal.',
    );
  const own = await run.ask('bundles.signer', {});
  if (run.terminal.isData) await run.terminal.value({ file, folder: out, job: id, signer: own });
  else await run.terminal.line(visibleLine(file === null ? out : join(out, file)));
  run.terminal.print(`Signed by ${own.fingerprint}`);
  reportIfNotDurable(run, own);
  return counts.failed > 0 ? exitCodes.failed : exitCodes.done;
}

/** The passphrase is only in the memory of the process that runs the job. */
async function howToGoOn(run: CommandRun, again: string): Promise<(id: number) => string> {
  const { kind } = await run.client();
  return () =>
    kind === 'running'
      ? `Resume it in Activity before you quit Vitrine. After that: ${again}`
      : `It cannot be resumed. ${again}`;
}

function partsOf({ options }: CommandRun): BundleParts {
  return {
    samples: !isGiven(options, 'only-facts'),
    notes: isGiven(options, 'notes'),
    threads: isGiven(options, 'comments'),
    rules: isGiven(options, 'rules'),
  };
}

async function opened(run: CommandRun, path: string): Promise<OpenedBundle> {
  const passphrase = await passphraseOf(run);
  const staged = await stagedFile(await run.client(), { path: resolve(path), shown: path });
  if (!staged.ok) return notOpened(run, path, staged.failure);
  return openedBundle(run, staged.value.id, passphrase);
}

/** @throws UsageError where the path is not a file */
async function notOpened({ terminal }: CommandRun, path: string, failure: Failure): Promise<never> {
  const facts = await factsOf(terminal, path);
  if (!facts.isFile()) wrongUsage(`${path} is ${facts.isDirectory() ? 'a folder' : 'not a regular file'}`);
  return fail(failure);
}

async function show(run: CommandRun, path: string): Promise<ExitCode> {
  const workspaceId = await run.workspaceId();
  const { id, facts } = await opened(run, path);
  try {
    await showBundle(run.terminal, facts, workspaceId, (line) => run.terminal.line(line));
  } finally {
    await run.ask('bundles.close', { id });
  }
  return exitCodes.done;
}

async function take(run: CommandRun, path: string): Promise<ExitCode> {
  if (textOf(run.options, 'bundle-passphrase-file') === '-' && !isGiven(run.options, 'yes'))
    wrongUsage('add --yes: stdin has the passphrase, so the import cannot be confirmed there');
  const workspaceId = await run.workspaceId();
  const { id, facts } = await opened(run, path);
  await showBundle(run.terminal, facts, workspaceId, (line) => run.terminal.print(line));
  if (!isGiven(run.options, 'yes') && !(await isWanted(run, id))) return exitCodes.refused;
  const job = await endOf(
    run,
    await run.ask('bundles.import', { id, workspaceId }),
    await howToGoOn(run, 'Import the bundle again: what was imported stays and is skipped.'),
  );
  await reportTaken(run, job);
  return job.counts.failed > 0 ? mostSevereOf([exitCodes.failed, ...job.notices.map(exitCodeOf)]) : exitCodes.done;
}

/** Samples that failed are named. */
async function reportTaken(
  { terminal }: CommandRun,
  { id, counts: { done, 'already-here': same, failed }, notices, noticeCount }: Job,
): Promise<void> {
  if (terminal.isData) await terminal.value({ job: id, taken: done, same, failed, notices, noticeCount });
  else
    await terminal.line(
      `${done.toLocaleString('en')} imported, ${same.toLocaleString('en')} unchanged` +
        (failed === 0 ? '' : `, ${failed.toLocaleString('en')} failed`),
    );
  for (const notice of notices) {
    terminal.complain(reasonOf(notice));
  }
  if (noticeCount > notices.length)
    terminal.complain(`${counted(noticeCount - notices.length, 'more failure')}: see Activity or the journal.`);
}

/** Nothing is changed without a yes. */
async function isWanted(run: CommandRun, id: string): Promise<boolean> {
  const answer = await run.terminal.ask('Import this bundle?');
  if (answer === true) return true;
  await run.ask('bundles.close', { id });
  if (answer === null) wrongUsage('nothing was imported: confirm with --yes');
  run.terminal.complain('Nothing was imported.');
  return false;
}

async function showSigner(run: CommandRun): Promise<ExitCode> {
  const own = await run.ask('bundles.signer', {});
  if (run.terminal.isData) await run.terminal.value(own);
  else await run.terminal.line(own.fingerprint);
  reportIfNotDurable(run, own);
  return exitCodes.done;
}

function reportIfNotDurable(run: CommandRun, { isDurable }: { isDurable: boolean }): void {
  if (!isDurable) run.terminal.print('The key is in memory only: the next start creates another one.');
}
