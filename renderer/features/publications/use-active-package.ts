import type { PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { useWorkspaces } from '../../state/workspaces.ts';

/** The packages of the workspace one is in; undefined until the host has told. */
export function useCurrentPublications(): PublicationsState | undefined {
  const { current } = useWorkspaces();
  return useOperation('publications.state', { workspaceId: current?.id ?? '' }, { enabled: current !== null }).data;
}

/** The package whose rules are in use in the workspace one is in; null: none, as far as is known. */
export function useActivePackage(): PackageView | null {
  const state = useCurrentPublications();
  return state?.packages.find(({ sha256 }) => sha256 === state.active) ?? null;
}
