import { useCurrentPublications } from '../features/publications/use-active-package.ts';
import { text } from '../state/strings.ts';
import type { RoomState } from './running-jobs.tsx';

/** Whether a package waits to be looked at; null: none. */
export function usePublicationsState(): RoomState | null {
  const state = useCurrentPublications();
  if (state === undefined || state.candidate === null) return null;
  return { kind: 'figure', shown: text.newPackage, spoken: text.newPackageSpoken };
}
