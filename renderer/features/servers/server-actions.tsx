import type { ReactNode } from 'react';
import { isAbsent, isUsable, type ServerAction } from '../../../shared/domain/server-action.ts';
import { useAction, useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { text } from './strings.ts';

/** What is known of the servers of a workspace. What is not known counts as there, except for optional actions. */
export interface KnownActions {
  isUsable(action: ServerAction): boolean;
  isAbsent(action: ServerAction): boolean;
  /** Asks the servers again. */
  find(): void;
  isFinding: boolean;
}

/** Asks no service by itself. */
export function useServerActions(workspaceId: string): KnownActions {
  const { data } = useOperation('servers.actions', { workspaceId });
  const finding = useAction('servers.findActions');
  return {
    isUsable: (action) => data !== undefined && isUsable(data, action),
    isAbsent: (action) => data !== undefined && isAbsent(data, action),
    find: () => finding.mutate({ workspaceId }),
    isFinding: finding.isPending,
  };
}

interface MissingActionProps {
  title: string;
  actions: Pick<KnownActions, 'find' | 'isFinding'>;
  /** What can be done instead. */
  children: ReactNode;
}

/** Shown before anything is written or looked up in vain. */
export function MissingAction({ title, actions: { find, isFinding }, children }: MissingActionProps) {
  return (
    <Notice
      meaning="info"
      size="small"
      title={title}
      actions={
        <Button size="small" isDisabled={isFinding} onPress={find}>
          {isFinding ? text.checking : text.checkAgain}
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
