import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import type { LabPublication } from '../../../shared/domain/lab.ts';
import {
  type PackageView,
  type PublicationsState,
  type RuleSort,
  sortByPlace,
} from '../../../shared/domain/publication.ts';
import type { ReviewQuery } from '../../../shared/domain/rule-review.ts';
import { useOperation } from '../../bridge/operations.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';

/** A rule means something in its package alone; its name is how it is found again in the next one. */
export interface ChosenRule {
  sha256: string;
  number: number;
  name: string;
}

/** A file that the host has, to be published. */
export interface PublishFile {
  id: string;
  /** In the package. */
  path: string;
  sizeBytes: number;
}

/** How the difference of two packages is reviewed, and the line of that list that is shown; null: the first rule. */
export interface ChosenReview {
  from: string | null;
  to: string;
  query: ReviewQuery;
  index: number | null;
}

/** Where a person is among the packages, the rules, the mutes and what is to be published from a workspace. */
interface PublicationsPlace {
  workspaceId: string | null;
  /** The package that is shown; null: the one that waits, or else the active one. */
  shownPackage: string | null;
  review: ChosenReview | null;
  isSideBySide: boolean;
  /** Blanks of every changed line are shown, and not only where nothing else changed. */
  showsBlanks: boolean;
  wrapsLines: boolean;
  find: string;
  /** The editor of rules to try is open, and what it begins with: null, the draft that was left. */
  trial: { source: string | null } | null;
  chosen: ChosenRule | null;
  rules: GridMemory;
  ruleSort: RuleSort;
  /** Beside the rule itself: `hits`, `last-hit`, `meta.KEY`. */
  ruleColumns: readonly string[];
  /** The mute that is shown; null: the first one. */
  mute: number | null;
  mutes: GridMemory;
  files: readonly PublishFile[];
  /** null: as it is suggested. */
  version: string | null;
  group: LabPublication['group'];
}

type Change = Partial<PublicationsPlace>;
type Note = (change: Change | ((before: PublicationsPlace) => Change)) => void;
const PlaceContext = createContext<
  readonly [PublicationsPlace, (place: (before: PublicationsPlace) => PublicationsPlace) => void] | null
>(null);

/** Who looks at another tab or view and comes back finds everything as it was left. */
export function PublicationsPlaceProvider({ children }: { children: ReactNode }) {
  const kept = useState(() => atBegin(null));
  return <PlaceContext value={kept}>{children}</PlaceContext>;
}

/** The place, and a setter for it. Each workspace begins without one. */
export function usePublicationsPlace(workspaceId: string): readonly [PublicationsPlace, Note] {
  const kept = useContext(PlaceContext);
  if (kept === null) throw new TypeError('usePublicationsPlace outside of PublicationsPlaceProvider');
  const [place, setPlace] = kept;
  const begin = useMemo(() => atBegin(workspaceId), [workspaceId]);
  const note = useCallback<Note>(
    (change) =>
      setPlace((noted) => {
        const before = noted.workspaceId === begin.workspaceId ? noted : begin;
        return { ...before, ...(typeof change === 'function' ? change(before) : change) };
      }),
    [setPlace, begin],
  );
  return [place.workspaceId === workspaceId ? place : begin, note];
}

function atBegin(workspaceId: string | null): PublicationsPlace {
  return {
    workspaceId,
    shownPackage: null,
    review: null,
    isSideBySide: false,
    showsBlanks: false,
    wrapsLines: false,
    find: '',
    trial: null,
    chosen: null,
    rules: new GridMemory(),
    ruleSort: sortByPlace,
    ruleColumns: ['hits'],
    mute: null,
    mutes: new GridMemory(),
    files: [],
    version: null,
    group: 'Release',
  };
}

/** The packages of the current workspace; undefined until the host answers. */
export function useCurrentPublications(): PublicationsState | undefined {
  const { current } = useWorkspaces();
  return useOperation('publications.state', { workspaceId: current?.id ?? '' }, { enabled: current !== null }).data;
}

/** The package whose rules are in use in the workspace one is in; null: none, as far as is known. */
export function useActivePackage(): PackageView | null {
  const state = useCurrentPublications();
  return state?.packages.find(({ sha256 }) => sha256 === state.active) ?? null;
}
