import type { DifferenceRow, PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { fail, FailureError } from '../../../shared/failure-error.ts';
import type { CommandRun } from '../command.ts';
import { newsOf } from '../news.ts';
import { countsWords, differenceTo, packageOf, type PackageDifference } from '../rule-packages.ts';

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
  asking: 'Asking',
  fetching: 'Fetching',
  gathering: 'Reading the files',
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

/** The candidate and what it would change. Without one only what the check came to. */
export async function showChecked(run: CommandRun, state: PublicationsState): Promise<PackageDifference | null> {
  const candidate = packageOf(state, state.candidate);
  const difference = candidate?.contents ? await differenceTo(run, state, candidate) : null;
  const active = packageOf(state, state.active)?.version ?? null;
  if (run.terminal.isJson) {
    await run.terminal.json({
      outcome: state.lastCheck?.outcome ?? null,
      version: state.lastCheck?.version ?? null,
      active,
      candidate,
      counts: difference?.counts ?? null,
      rules: difference?.rows ?? [],
    });
    return difference;
  }
  await run.terminal.line(headline(state, active, difference));
  if (candidate?.failure) throw new FailureError(candidate.failure);
  for (const row of difference?.rows ?? []) await run.terminal.line(rowLine(row));
  return difference;
}

/** A package of files, and what it would change. @throws FailureError why it cannot be opened */
export async function showOpened(run: CommandRun, state: PublicationsState, opened: PackageView): Promise<void> {
  if (opened.contents === null)
    throw new FailureError(opened.failure ?? { kind: 'package-missing', sha256: opened.sha256 });
  const { counts, rows } = await differenceTo(run, state, opened);
  const active = packageOf(state, state.active)?.version ?? null;
  if (run.terminal.isJson) return run.terminal.json({ active, candidate: opened, counts, rules: rows });
  await run.terminal.line(visibleLine(`${active ?? 'nothing installed'} → ${opened.version} (${countsWords(counts)})`));
  for (const row of rows) await run.terminal.line(rowLine(row));
}

function headline(
  { lastCheck }: PublicationsState,
  active: string | null,
  difference: PackageDifference | null,
): string {
  if (difference)
    return visibleLine(
      `${active ?? 'nothing installed'} → ${difference.package.version} (${countsWords(difference.counts)})`,
    );
  if (lastCheck?.outcome === 'unsure')
    return `The reply does not tell whether there is a newer version${lastCheck.missing.length === 0 ? '' : ` (no ${lastCheck.missing.join(', no ')})`}`;
  return active === null ? 'Nothing is installed, and nothing newer is there' : visibleLine(`${active} is the newest`);
}

const signs = { broken: '!', changed: '~', added: '+', removed: '−', moved: '>' } as const satisfies Record<
  DifferenceRow['kind'],
  string
>;

/** A broken rule by file and line, with the engine's words. */
export function rowLine({ kind, name, file, line, broken, asks = [] }: DifferenceRow): string {
  const uses = asks.length === 0 ? '' : `  uses ${asks.join(', ')}`;
  return visibleLine(
    `${signs[kind]} ${name === '' ? '(no rule)' : name}  ${file}:${line}${broken === null ? '' : `  ${broken.text}`}${uses}`,
  );
}
