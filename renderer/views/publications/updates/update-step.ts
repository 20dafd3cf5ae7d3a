import { compareVersions } from '../../../../shared/domain/package-manifest.ts';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../../components/format.ts';
import { text } from './strings.ts';

/**
 * What making a package the active one is: the first one here, a newer one, or one that was left behind. `none`: it is
 * the active one.
 */
type UpdateStep = 'none' | 'install' | 'update' | 'rollback';

/** Whether a check may find something. */
export const canCheck = (rulesFrom: PublicationsState['rulesFrom']): boolean =>
  rulesFrom === 'publications' || rulesFrom === 'export';

type Packages = Pick<PublicationsState, 'packages' | 'active' | 'candidate' | 'pinned'>;

export function packageOf({ packages }: Pick<Packages, 'packages'>, sha256: string | null): PackageView | null {
  return packages.find((each) => each.sha256 === sha256) ?? null;
}

export function stepTo(chosen: PackageView, state: Packages): UpdateStep {
  const active = packageOf(state, state.active);
  if (active === null) return 'install';
  if (chosen.sha256 === active.sha256) return 'none';
  // A package that a service offers as its newest, or that a person added, is an update, even to an older version: a
  // notice states that.
  if (chosen.sha256 === state.candidate || chosen.activated === null) return 'update';
  return isOlder(chosen, active) ? 'rollback' : 'update';
}

/** By their versions; if these cannot be ordered, by when they came here. */
function isOlder(one: PackageView, other: PackageView): boolean {
  const order = compareVersions(one.version, other.version) ?? 0;
  return order === 0 ? one.received < other.received : order < 0;
}

/** Whether what became of the last file that was brought is out of date: another package came after it. */
export const isOfOlderFile = ({ packages, lastCheck }: Pick<PublicationsState, 'packages' | 'lastCheck'>): boolean =>
  lastCheck?.file !== undefined && packages.some(({ received }) => received > lastCheck.at);

/**
 * Why a package cannot be made the active one just now. What was active before may always be again, unless another is
 * pinned.
 */
export type Obstacle = 'unopened' | 'pinned' | 'policy';

export function obstacleTo(chosen: PackageView, state: Packages & Pick<PublicationsState, 'options'>): Obstacle | null {
  if (chosen.contents === null) return 'unopened';
  if (state.pinned !== null && state.pinned === state.active && state.pinned !== chosen.sha256) return 'pinned';
  return state.options.policy === 'refuse-broken' && chosen.contents.broken > 0 && chosen.activated === null
    ? 'policy'
    : null;
}

/** A version is a service's text of any shape: it has to fit beside a button. */
const longest = 28;

export const shortVersion = (version: string): string =>
  visibleText(cutMiddle(version.trim() === '' ? '–' : version, longest));

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long a package was in use: `was active for 7 days`. Less than an hour is not shown as a time. */
export function formatActive(activeMs: number): string {
  if (activeMs < hourMs) return text.activeShortly;
  return activeMs < 2 * dayMs
    ? text.activeHours(Math.round(activeMs / hourMs))
    : text.activeDays(Math.round(activeMs / dayMs));
}
