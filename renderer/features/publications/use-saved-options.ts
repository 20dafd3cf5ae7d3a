import { useState } from 'react';
import type { PublicationsState, RuleOptions } from '../../../shared/domain/publication.ts';
import type { TokenChange } from '../../../shared/domain/workspace.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useAction } from '../../bridge/use-action.ts';

export interface SavedOptions {
  /** As they are stored, or will be in a moment; null until they are known. */
  options: RuleOptions | null;
  change(
    change: Partial<RuleOptions>,
    then?: { password?: TokenChange; onSaved?(): void; onFailed?(failure: Failure): void },
  ): void;
  isSaving: boolean;
  failure: Failure | null;
}

/** What is asked of the host with the options goes in turn with their storing: two requests may overtake each other. */
export const turnOfOptions = (workspaceId: string): string => `publications.options ${workspaceId}`;

/** What the workspace does about packages. A choice shows at once what was chosen. */
export function useSavedOptions(workspaceId: string, state: PublicationsState | null): SavedOptions {
  const { mutate, isPending, error } = useAction('publications.setOptions', { turn: turnOfOptions(workspaceId) });
  const [chosen, choose] = useState<RuleOptions | null>(null);
  const stored = state?.options ?? null;
  const change: SavedOptions['change'] = (
    changed,
    { password = { kind: 'keep' } satisfies TokenChange, onSaved, onFailed } = {},
  ) => {
    if (stored === null) return;
    const options = { ...stored, ...changed };
    choose(options);
    mutate(
      { workspaceId, options, password },
      {
        onSuccess: () => onSaved?.(),
        onError: (failure) => onFailed?.(failure),
        onSettled: () => choose(null),
      },
    );
  };
  return { options: chosen ?? stored, change, isSaving: isPending, failure: error };
}
