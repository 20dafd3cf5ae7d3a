import { assertNever } from '../../../shared/assert-never.ts';
import type { PublicationsState } from '../../../shared/domain/publication.ts';
import { recentWords } from '../../components/utc-time.ts';
import { ViewLine } from '../../components/view-head.tsx';
import { text } from './text.ts';
import { shortVersion } from './updates/short-version.ts';
import { isOfOlderFile, packageOf } from './updates/update-step.ts';
import { useUpdatesDesk } from './updates/updates-desk.tsx';

/** One line of state: what is being done, or how the last check came out. */
export function PublicationsLine() {
  const { state } = useUpdatesDesk();
  return <ViewLine role="status">{state !== null && lineOf(state)}</ViewLine>;
}

function lineOf(state: PublicationsState): string {
  const { check, lastCheck, hasRuleEditor } = state;
  if (check !== null) return text.phases[check.phase];
  if (lastCheck === null) return hasRuleEditor ? text.neverChecked : text.noRuleEditor;
  const time = recentWords(lastCheck.at);
  if (lastCheck.file !== undefined)
    return isOfOlderFile(state)
      ? ''
      : text.fileNotOpened[lastCheck.outcome === 'cancelled' ? 'cancelled' : 'failed'](
          shortVersion(lastCheck.file),
          time,
        );
  switch (lastCheck.outcome) {
    case 'up-to-date':
      return state.active === null ? text.noneThere(time) : text.upToDate(time);
    case 'found':
      return candidateWords(state, time);
    case 'installed':
      return text.installed(time, shortVersion(lastCheck.version ?? ''));
    case 'unsure':
      return text.unsure(time);
    case 'failed':
      return text.failed(time);
    case 'cancelled':
      return text.cancelled(time);
    default:
      return assertNever(lastCheck.outcome);
  }
}

/** What was found may have been installed or removed by now. */
function candidateWords(state: PublicationsState, time: string): string {
  const candidate = packageOf(state, state.candidate);
  const active = packageOf(state, state.active);
  if (active !== null && active.version === state.lastCheck?.version) return text.upToDate(time);
  // A file that a person brought says nothing of what the rule editor has.
  if (candidate?.source !== 'service') return text.checked(time);
  if (state.active === null) return text.waits(time);
  return candidate.warnings.includes('backwards') ? text.older(time) : text.newer(time);
}
