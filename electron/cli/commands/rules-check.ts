import type {
  DifferenceRow,
  PackageContents,
  PackageView,
  PublicationsState,
} from '../../../shared/domain/publication.ts';
import { differenceFormat, type DifferenceFormat } from '../../../shared/domain/rule-review.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { counted } from '../../../shared/failure-sentence.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import { newsOf } from '../client.ts';
import type { CommandRun } from '../command.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { textOf } from '../option-values.ts';
import { type Column, Records } from '../records.ts';
import {
  checkedCandidate,
  countsWords,
  differenceTo,
  type PackageDifference,
  packageNamed,
  packageOf,
} from '../rule-packages.ts';

/**
 * Asks for the newest publication, and waits until it is here, opened and compiled. @throws FailureError why it could
 * not be
 */
export async function checked(run: CommandRun): Promise<PublicationsState> {
  const workspaceId = await run.workspaceId();
  return answered(await untilRested(run, workspaceId, () => run.ask('publications.check', { workspaceId })));
}

/**
 * The same for a package that is made of files: what was heard of the service before is no answer. @throws FailureError
 */
export async function rulesAfter(run: CommandRun, begin: () => Promise<unknown>): Promise<PublicationsState> {
  const workspaceId = await run.workspaceId();
  const { lastCheck: before } = await run.ask('publications.state', { workspaceId });
  const state = await untilRested(run, workspaceId, begin);
  return state.lastCheck?.at === before?.at ? state : answered(state);
}

/** Waits while packages are checked, opened or compiled, and shows how far that is. `begin`: what begins it. */
export async function untilRested(
  run: CommandRun,
  workspaceId: string,
  begin: () => Promise<unknown> = async () => {},
): Promise<PublicationsState> {
  const client = await run.client();
  const news = await newsOf(client, 'publications.changed', (changed) => changed.workspaceId === workspaceId);
  try {
    await begin();
    for (;;) {
      const state = await run.ask('publications.state', { workspaceId });
      if (state.check === null) return state;
      run.terminal.progress(progressOf(state.check));
      await news.next(run.signal);
    }
  } catch (error) {
    // The check is no longer needed.
    if (run.signal.aborted) await client.call('publications.cancelCheck', { workspaceId });
    throw error;
  } finally {
    news.stop();
    run.terminal.progress(null);
  }
}

const phases = {
  asking: 'Checking',
  fetching: 'Fetching',
  gathering: 'Reading files',
  opening: 'Opening',
  compiling: 'Compiling',
} as const;

const units = { asking: '', fetching: ' bytes', gathering: '', opening: '', compiling: ' rules' } as const;

function progressOf({ phase, done, total }: NonNullable<PublicationsState['check']>): string {
  const words = total === null ? '' : `: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${units[phase]}`;
  return `${phases[phase]}${words}`;
}

function answered(state: PublicationsState): PublicationsState {
  const { lastCheck } = state;
  if (lastCheck?.outcome === 'cancelled') fail({ kind: 'cancelled' });
  if (lastCheck?.failure) throw new FailureError(lastCheck.failure);
  return state;
}

/**
 * The candidate and what it would change. Without one only what the check came to: in a CSV it is no row, so there is a
 * head alone.
 */
export async function showChecked(
  run: CommandRun,
  state: PublicationsState,
  csvWithoutRows: () => Promise<void> = () => new Records(run.terminal, differenceColumns).end(),
): Promise<PackageDifference | null> {
  const candidate = checkedCandidate(state);
  const previewed = candidate === null ? packageOf(state, state.candidate) : null;
  if (previewed !== null)
    run.terminal.print(visibleLine(`${previewed.version} was previewed from files and is not part of this check.`));
  if (candidate?.source === 'export' && candidate.contents !== null)
    run.terminal.print(exportedWords(candidate.contents));
  const difference = candidate?.contents ? await differenceTo(run, state, candidate) : null;
  const active = packageOf(state, state.active)?.version ?? null;
  if (run.terminal.isJson) {
    await run.terminal.value({
      outcome: state.lastCheck?.outcome ?? null,
      version: state.lastCheck?.version ?? null,
      active,
      candidate,
      counts: difference?.counts ?? null,
      rules: difference?.rows ?? [],
    });
    return difference;
  }
  if (difference === null) {
    if (run.terminal.layout === 'csv') await csvWithoutRows();
    await reportHeadline(run.terminal, state, headline(state, active));
  }
  if (candidate?.failure) throw new FailureError(candidate.failure);
  if (difference !== null) await showDifference(run.terminal, active, difference);
  return difference;
}

/** Where a package came from that no one published, and what of it is not in the package. */
function exportedWords({ files, empty }: PackageContents): string {
  const names = empty === undefined ? [] : [...empty.names, ...(empty.files > empty.names.length ? ['…'] : [])];
  const skipped =
    empty === undefined ? '' : `; ${counted(empty.files, 'file')} without rules skipped: ${names.join(', ')}`;
  return visibleLine(`Exported from the rule editor: ${counted(files, 'file')}${skipped}`);
}

/** A package of files, and what it would change. @throws FailureError why it cannot be opened */
export async function showOpened(run: CommandRun, state: PublicationsState, opened: PackageView): Promise<void> {
  if (opened.contents === null)
    throw new FailureError(opened.failure ?? { kind: 'package-missing', sha256: opened.sha256 });
  const difference = await differenceTo(run, state, opened);
  const { counts, rows: rules } = difference;
  const active = packageOf(state, state.active)?.version ?? null;
  if (run.terminal.isJson) return run.terminal.value({ active, candidate: opened, counts, rules });
  return showDifference(run.terminal, active, difference);
}

async function reportHeadline(
  terminal: CommandRun['terminal'],
  { lastCheck }: PublicationsState,
  text: string,
): Promise<void> {
  if (terminal.layout !== 'csv') await terminal.line(text);
  else if (lastCheck?.outcome === 'unsure') terminal.complain(text);
  else terminal.print(text);
}

function headline({ lastCheck }: PublicationsState, active: string | null): string {
  if (lastCheck?.outcome === 'unsure')
    return (
      'Unexpected response: it does not show whether there is a newer version' +
      (lastCheck.missing.length === 0 ? '' : ` (no ${lastCheck.missing.join(', no ')})`)
    );
  if (active === null) return 'No package is installed, and none is published';
  return visibleLine(`${lastCheck?.of === 'export' ? 'No changes' : 'Up to date'}: ${active}`);
}

/** The versions and counts are no row: where programs read the list they are on standard error. */
async function showDifference(
  terminal: CommandRun['terminal'],
  from: string | null,
  { package: to, counts, rows }: PackageDifference,
): Promise<void> {
  const head = visibleLine(`${from ?? 'nothing installed'} -> ${to.version} (${countsWords(counts)})`);
  if (terminal.layout === 'table') await terminal.line(head);
  else terminal.print(head);
  const records = new Records(terminal, differenceColumns, ({ kind }) => (kind === 'broken' ? 'problem' : null));
  for (const row of rows) await records.add(row);
  await records.end();
}

const signs = { broken: '!', changed: '~', added: '+', removed: '-', moved: '>' } as const satisfies Record<
  DifferenceRow['kind'],
  string
>;

/** A broken rule by file and line, with the message of the engine. */
export function rowLine({ kind, name, file, line, broken, asks }: DifferenceRow): string {
  const place = `${signs[kind]} ${name === '' ? '(no rule)' : name}  ${file}:${line}`;
  return visibleLine([place, ...(broken === null ? [] : [broken.text]), ...usedWords(asks)].join('  '));
}

const usedWords = (asks: readonly string[] = []): string[] => (asks.length === 0 ? [] : [`uses ${asks.join(', ')}`]);

const differenceColumns: readonly Column<DifferenceRow>[] = [
  { head: 'CHANGE', value: ({ kind }) => signs[kind], isOwn: true },
  { head: 'RULE', value: ({ name }) => (name === '' ? '(no rule)' : name), cut: 'text', isMain: true, isOwn: true },
  { head: 'FILE', value: ({ file }) => file, cut: 'text', isOwn: true },
  { head: 'LINE', value: ({ line }) => line, text: ({ line }) => String(line), align: 'right' },
  {
    head: 'DETAILS',
    value: ({ broken, asks }) => [...(broken === null ? [] : [broken.text]), ...usedWords(asks)].join('; '),
    cut: 'text',
    isOwn: true,
  },
];

/** What differs between two packages that are kept here: as lines, as a patch or as JSON. */
export async function diffPackages(
  run: CommandRun,
  state: PublicationsState,
  [first, second]: readonly (string | undefined)[],
): Promise<ExitCode> {
  const format = run.terminal.isJson
    ? 'json'
    : (differenceFormat.options.find((one) => one === textOf(run.options, 'format')) ?? null);
  const active = packageOf(state, state.active);
  const to =
    second === undefined
      ? first === undefined
        ? candidateOf(state)
        : packageNamed(run.terminal, state, first)
      : packageNamed(run.terminal, state, second);
  const from = second === undefined || first === undefined ? active : packageNamed(run.terminal, state, first);
  await show(run, state.workspaceId, { from, to, format });
  return exitCodes.done;
}

const candidateOf = (state: PublicationsState): PackageView =>
  packageOf(state, state.candidate) ??
  wrongUsage('no candidate to compare: name a version, or fetch one with "vitrine rules check"');

async function show(
  run: CommandRun,
  workspaceId: string,
  { from, to, format }: { from: PackageView | null; to: PackageView; format: DifferenceFormat | null },
): Promise<void> {
  if (format === 'patch') return patch(run, workspaceId, from, to);
  const difference = await differenceTo(run, { workspaceId, active: from?.sha256 ?? null }, to);
  const facts = ({ version, group, sha256 }: PackageView): object => ({ version, group, sha256 });
  const { counts, rows: rules } = difference;
  if (format === 'json' || run.terminal.isJson)
    return run.terminal.value({ from: from && facts(from), to: facts(to), counts, rules });
  return showDifference(run.terminal, from?.version ?? null, difference);
}

/** Byte by byte: an escaped patch would not apply. */
async function patch(run: CommandRun, workspaceId: string, from: PackageView | null, to: PackageView): Promise<void> {
  for (let at: number | null = 0; at !== null;) {
    const { text, next }: { text: string; next: number | null } = await run.ask('publications.patch', {
      workspaceId,
      from: from?.sha256 ?? null,
      to: to.sha256,
      at,
    });
    await run.terminal.bytes(Buffer.from(text));
    at = next;
  }
}
