import type { DifferenceRow, PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { fail, FailureError } from '../../../shared/failure-error.ts';
import type { CommandRun } from '../command.ts';
import { newsOf } from '../news.ts';
import { countsWords, differenceTo, packageOf, type PackageDifference } from '../rule-packages.ts';

/** Asks for the newest publication, and waits until it is here, opened and compiled. @throws FailureError why it could not be */
export async function checked(run: CommandRun): Promise<PublicationsState> {
  const workspaceId = await run.workspaceId();
  return answered(await untilRested(run, workspaceId, async () => void (await run.ask('publications.check', { workspaceId }))));
}

/** Waits while packages are checked, opened or compiled, and shows how far that is. `begin`: what begins it. */
export async function untilRested(run: CommandRun, workspaceId: string, begin = async (): Promise<void> => {}): Promise<PublicationsState> {
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

const phases = { asking: 'Asking', fetching: 'Fetching', opening: 'Opening', compiling: 'Compiling' } as const;

function progressOf({ phase, done, total }: NonNullable<PublicationsState['check']>): string {
  const counted = total === null ? '' : `: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${phase === 'fetching' ? ' bytes' : ' rules'}`;
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
    await run.terminal.json({ outcome: state.lastCheck?.outcome ?? null, version: state.lastCheck?.version ?? null, active, candidate, counts: difference?.counts ?? null, rules: difference?.rows ?? [] });
    return difference;
  }
  await run.terminal.line(headline(state, active, difference));
  if (candidate?.failure) throw new FailureError(candidate.failure);
  for (const row of difference?.rows ?? []) await run.terminal.line(rowLine(row));
  return difference;
}

function headline({ lastCheck }: PublicationsState, active: string | null, difference: PackageDifference | null): string {
  if (difference) return visibleLine(`${active ?? 'nothing installed'} → ${difference.package.version} (${countsWords(difference.counts)})`);
  if (lastCheck?.outcome === 'unsure') return `The reply does not tell whether there is a newer version${lastCheck.missing.length === 0 ? '' : ` (no ${lastCheck.missing.join(', no ')})`}`;
  return active === null ? 'Nothing is installed, and nothing newer is there' : visibleLine(`${active} is the newest`);
}

const signs = { broken: '!', changed: '~', added: '+', removed: '−', moved: '>' } as const satisfies Record<DifferenceRow['kind'], string>;

/** A broken rule by file and line, with the engine's words. */
export function rowLine({ kind, name, file, line, broken }: DifferenceRow): string {
  return visibleLine(`${signs[kind]} ${name === '' ? '(no rule)' : name}  ${file}:${line}${broken === null ? '' : `  ${broken.text}`}`);
}
