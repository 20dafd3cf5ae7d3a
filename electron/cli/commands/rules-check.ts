import type { DifferenceRow, PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { CommandRun } from '../command.ts';
import { newsOf } from '../news.ts';
import { type Column, Records } from '../records.ts';
import { checkedCandidate, countsWords, differenceTo, type PackageDifference, packageOf } from '../rule-packages.ts';

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
  const door = await run.door();
  const news = await newsOf(door, 'publications.changed', (changed) => changed.workspaceId === workspaceId);
  try {
    await begin();
    for (;;) {
      const state = await run.ask('publications.state', { workspaceId });
      if (state.check === null) return state;
      run.terminal.progress(progressOf(state.check));
      await news.next(run.signal);
    }
  } catch (error) {
    // What was asked for is nobody's any more.
    if (run.signal.aborted) await door.call('publications.cancelCheck', { workspaceId });
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
  const counted =
    total === null ? '' : `: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${units[phase]}`;
  return `${phases[phase]}${counted}`;
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
    run.terminal.say(visibleLine(`${previewed.version} was previewed from files and is not part of this check.`));
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
    await tellHeadline(run.terminal, state, headline(state, active));
  }
  if (candidate?.failure) throw new FailureError(candidate.failure);
  if (difference !== null) await showDifference(run.terminal, active, difference);
  return difference;
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

async function tellHeadline(
  terminal: CommandRun['terminal'],
  { lastCheck }: PublicationsState,
  text: string,
): Promise<void> {
  if (terminal.layout !== 'csv') await terminal.line(text);
  else if (lastCheck?.outcome === 'unsure') terminal.complain(text);
  else terminal.say(text);
}

function headline({ lastCheck }: PublicationsState, active: string | null): string {
  if (lastCheck?.outcome === 'unsure')
    return (
      'Unexpected response: it does not show whether there is a newer version' +
      (lastCheck.missing.length === 0 ? '' : ` (no ${lastCheck.missing.join(', no ')})`)
    );
  return active === null ? 'No package is installed, and none is published' : visibleLine(`Up to date: ${active}`);
}

/** The versions and counts are no row: where programs read the list they are on standard error. */
export async function showDifference(
  terminal: CommandRun['terminal'],
  from: string | null,
  { package: to, counts, rows }: PackageDifference,
): Promise<void> {
  const head = visibleLine(`${from ?? 'nothing installed'} -> ${to.version} (${countsWords(counts)})`);
  if (terminal.layout === 'table') await terminal.line(head);
  else terminal.say(head);
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
