import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { PublicationsState } from '../../../../shared/domain/publication.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { useOperation } from '../../../bridge/operations.ts';
import type { DroppedEntry } from '../../../features/uploads/dropped-files.ts';
import { PackagePicker } from './package-picker.tsx';
import { type CheckActs, useCheckActs } from './use-check-acts.ts';
import { type HuntAfterwards, useHuntAfterwards } from './use-hunt-afterwards.ts';
import type { TakenFiles } from './use-install-files.ts';
import { type PackageActs, type Removal, usePackageActs } from './use-package-acts.ts';

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
  /** Files that are on their way to the host. */
  taken: TakenFiles | null;
  /** Asks for files, or for a folder, and opens them as one package. `version`: for those that do not tell. */
  pick(of: 'files' | 'folder', version: string | null): void;
  /** The same with what was dropped. */
  take(entries: readonly DroppedEntry[]): void;
  /** An update that waits for a confirmation, because many rules would go. */
  removal: Removal | null;
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
  const { filesPicker, folderPicker, version, pick } = usePicking();
  const desk = useMemo(
    (): UpdatesDesk => ({
      workspaceId,
      state,
      unread: error,
      checkFailure: checking.checkFailure,
      packageFailure: handling.packageFailure ?? huntFailure,
      hunt,
      ...checking.acts,
      ...handling.acts,
      taken: checking.taken,
      take: (entries) => checking.acts.open(entries, null),
      removal: handling.removal,
      pick,
      dialog,
      show,
    }),
    [
      workspaceId,
      state,
      error,
      checking.checkFailure,
      checking.acts,
      checking.taken,
      handling.packageFailure,
      handling.acts,
      handling.removal,
      hunt,
      huntFailure,
      pick,
      dialog,
    ],
  );
  return (
    <UpdatesDeskContext value={desk}>
      {children}
      <PackagePicker ref={filesPicker} of="files" onPick={(entries) => checking.acts.open(entries, version.current)} />
      <PackagePicker
        ref={folderPicker}
        of="folder"
        onPick={(entries) => checking.acts.open(entries, version.current)}
      />
    </UpdatesDeskContext>
  );
}

function usePicking() {
  const filesPicker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement>(null);
  const version = useRef<string | null>(null);
  const pick = useCallback((of: 'files' | 'folder', told: string | null): void => {
    version.current = told;
    (of === 'folder' ? folderPicker : filesPicker).current?.click();
  }, []);
  return { filesPicker, folderPicker, version, pick };
}
