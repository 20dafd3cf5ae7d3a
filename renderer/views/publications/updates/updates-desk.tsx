import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { PublicationsState } from '../../../../shared/domain/publication.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { PackagePicker } from './package-picker.tsx';
import { type CheckActs, useCheckActs } from './use-check-acts.ts';
import { type HuntAfterwards, useHuntAfterwards } from './use-hunt-afterwards.ts';
import { type PackageActs, usePackageActs } from './use-package-acts.ts';

export type UpdatesDialog = 'settings' | 'open-as' | 'reply';

export interface UpdatesDesk extends PackageActs, Omit<CheckActs, 'open'> {
  workspaceId: string;
  /** null until the host has told. */
  state: PublicationsState | null;
  /** Why the packages cannot be read. */
  unread: Failure | null;
  /** Why a check or the opening of a file did not begin. */
  checkFailure: Failure | null;
  hunt: HuntAfterwards;
  /** Why something was not done with a package, or the hunt after it did not begin. */
  packageFailure: Failure | null;
  /** Asks for a file and opens it. `version`: for one that does not tell. */
  pickFile(version: string | null): void;
  dialog: UpdatesDialog | null;
  show(dialog: UpdatesDialog | null): void;
}

const UpdatesDeskContext = createContext<UpdatesDesk | null>(null);

export function useUpdatesDesk(): UpdatesDesk {
  const desk = useContext(UpdatesDeskContext);
  if (desk === null) throw new TypeError('useUpdatesDesk outside of UpdatesDeskProvider');
  return desk;
}

/** The packages of a workspace and what can be done with them: for the head of the view and what is below it. */
export function UpdatesDeskProvider({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const { data, error } = useOperation('publications.state', { workspaceId });
  const state = data ?? null;
  const [dialog, show] = useState<UpdatesDialog | null>(null);
  const checking = useCheckActs(workspaceId);
  const handling = usePackageActs(workspaceId, state);
  const { hunt, huntFailure } = useHuntAfterwards(workspaceId);
  const { picker, version, pickFile } = usePicking();
  const desk = useMemo((): UpdatesDesk => ({
    workspaceId, state, unread: error, checkFailure: checking.checkFailure, packageFailure: handling.packageFailure ?? huntFailure, hunt, ...checking.acts, ...handling.acts, pickFile, dialog, show,
  }), [workspaceId, state, error, checking.checkFailure, checking.acts, handling.packageFailure, handling.acts, hunt, huntFailure, pickFile, dialog]);
  return (
    <UpdatesDeskContext value={desk}>
      {children}
      <PackagePicker ref={picker} onPick={(file) => checking.acts.open(file, version.current)} />
    </UpdatesDeskContext>
  );
}

function usePicking() {
  const picker = useRef<HTMLInputElement>(null);
  const version = useRef<string | null>(null);
  const pickFile = useCallback((told: string | null): void => {
    version.current = told;
    picker.current?.click();
  }, []);
  return { picker, version, pickFile };
}
