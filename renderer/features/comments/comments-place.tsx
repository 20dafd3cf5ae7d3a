import { createContext, type ReactNode, useContext, useState } from 'react';
import type { ListedComment } from '../../../shared/domain/comment.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';

/** Where a person is among the comments of a workspace. */
export interface CommentsPlace {
  workspaceId: string | null;
  find: string;
  /** The comment whose conversation is shown. */
  chosen: ListedComment | null;
  /** The search that is known to find it. */
  foundBy: string;
  grid: GridMemory;
}

interface KeptPlace {
  place: CommentsPlace;
}

const PlaceContext = createContext<KeptPlace>({ place: atBegin(null) });

/** Who looks up a sample and comes back finds the list as it was left. */
export function CommentsPlaceProvider({ children }: { children: ReactNode }) {
  const [kept] = useState((): KeptPlace => ({ place: atBegin(null) }));
  return <PlaceContext value={kept}>{children}</PlaceContext>;
}

/** The place, and a function to change it. Each workspace has its own. */
export function useCommentsPlace(
  workspaceId: string | null,
): [CommentsPlace, (change: Partial<CommentsPlace>) => void] {
  const kept = useContext(PlaceContext);
  const [noted, setPlace] = useState(kept.place);
  const place = noted.workspaceId === workspaceId ? noted : atBegin(workspaceId);
  if (place !== noted) setPlace(place);
  return [place, (change) => setPlace((before) => (kept.place = { ...before, ...change }))];
}

function atBegin(workspaceId: string | null): CommentsPlace {
  return { workspaceId, find: '', chosen: null, foundBy: '', grid: new GridMemory() };
}
