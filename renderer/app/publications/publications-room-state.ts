import type { RoomState } from '../running-jobs.tsx';
import { text } from '../text.ts';
import { useCurrentPublications } from './use-active-package.ts';

/** Whether a package waits to be looked at; null: none. */
export function usePublicationsState(): RoomState | null {
  const state = useCurrentPublications();
  if (state === undefined || state.candidate === null) return null;
  return { kind: 'figure', shown: text.newPackage, spoken: text.newPackageSpoken };
}
