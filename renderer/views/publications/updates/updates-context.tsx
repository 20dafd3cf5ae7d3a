import {
  type ChangeEvent,
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import type { Failure, FailureOf } from '../../../../shared/failure-kinds.ts';
import { sentenceFor } from '../../../../shared/failure-sentences.ts';
import type { Result } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useAction, useOperation } from '../../../bridge/operations.ts';
import { useToast } from '../../../components/toasts.tsx';
import { turnOfOptions } from '../../../features/publications/options-form.tsx';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import type { DroppedEntry } from '../../../features/uploads/dropped-files.ts';
import { rememberHuntAfterwards, remembersHuntAfterwards } from '../../../memory/preferences.ts';
import { useNoteJob } from '../../../state/jobs.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { type TakenFiles, useInstallFiles } from './install-files.ts';
import { text } from './strings.ts';
import { packageOf, shortVersion, stepTo } from './update-step.ts';

type UpdatesDialog = 'settings' | 'open-as' | 'reply';

interface Updates extends PackageActs, Omit<CheckActs, 'open'> {
  workspaceId: string;
  /** null until the host answers. */
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
  /** Asks for files, or for a folder, and opens them as one package. `version`: for those without one. */
  pick(of: 'files' | 'folder', version: string | null): void;
  /** The same with what was dropped. */
  take(entries: readonly DroppedEntry[]): void;
  /** An update that waits for a confirmation, because many rules would go. */
  removal: Removal | null;
  dialog: UpdatesDialog | null;
  show(dialog: UpdatesDialog | null): void;
}

const UpdatesContext = createContext<Updates | null>(null);

export function useUpdates(): Updates {
  const host = useContext(UpdatesContext);
  if (host === null) throw new TypeError('useUpdatesDesk outside of UpdatesDeskProvider');
  return host;
}

/** The packages of a workspace and what can be done with them: for the head of the view and what is below it. */
export function UpdatesProvider({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const { data, error } = useOperation('publications.state', { workspaceId });
  const state = data ?? null;
  const [dialog, show] = useState<UpdatesDialog | null>(null);
  const checking = useCheckActs(workspaceId);
  const handling = usePackageActs(workspaceId, state);
  const { hunt, huntFailure } = useHuntAfterwards(workspaceId);
  const { filesPicker, folderPicker, version, pick } = usePicking();
  const host = useMemo(
    (): Updates => ({
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
    <UpdatesContext value={host}>
      {children}
      <PackagePicker ref={filesPicker} of="files" onPick={(entries) => checking.acts.open(entries, version.current)} />
      <PackagePicker
        ref={folderPicker}
        of="folder"
        onPick={(entries) => checking.acts.open(entries, version.current)}
      />
    </UpdatesContext>
  );
}

function usePicking() {
  const filesPicker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement>(null);
  const version = useRef<string | null>(null);
  const pick = useCallback((of: 'files' | 'folder', reported: string | null): void => {
    version.current = reported;
    (of === 'folder' ? folderPicker : filesPicker).current?.click();
  }, []);
  return { filesPicker, folderPicker, version, pick };
}

interface CheckActs {
  check(): void;
  cancel(): void;
  /** Makes the files of a package UTF-8 where their encoding is a guess. */
  convert(sha256: string): void;
  /** Opens files and folders as one package. `version`: for those without one. */
  open(entries: readonly DroppedEntry[], version: string | null): void;
  /** Something else about the checks did not work. */
  report(failure: Failure): void;
}

/**
 * Begins an action that ends with a new package or a failure. Its progress is in the state; `failure` is why it did not
 * begin.
 */
function useCheckActs(workspaceId: string): {
  checkFailure: Failure | null;
  taken: TakenFiles | null;
  acts: CheckActs;
} {
  const bridge = useBridge();
  const [checkFailure, setFailure] = useState<Failure | null>(null);
  const { taken, take, stop } = useInstallFiles(workspaceId);
  const { mutate: beginCheck } = useAction('publications.check', { turn: turnOfOptions(workspaceId) });
  const acts = useMemo((): CheckActs => {
    const ask = async (asked: Promise<Result<unknown>>): Promise<void> => {
      setFailure(null);
      const answer = await asked;
      if (!answer.ok) setFailure(answer.failure);
    };
    return {
      check: () => {
        setFailure(null);
        beginCheck({ workspaceId }, { onError: setFailure });
      },
      cancel: () => {
        stop();
        void ask(bridge.call('publications.cancelCheck', { workspaceId }));
      },
      convert: (sha256) => void ask(bridge.call('publications.convert', { workspaceId, sha256 })),
      open: (entries, version) => void ask(take(entries, version)),
      report: setFailure,
    };
  }, [bridge, beginCheck, take, stop, workspaceId]);
  return { checkFailure, taken, acts };
}

interface HuntAfterwards {
  isRequested: boolean;
  want(isRequested: boolean): void;
  /** Hunts the vault with what is new or changed in the package that is active now. */
  start(): void;
}

/** The hunt that follows an update, as the person last wanted it. `huntFailure`: why it did not begin. */
function useHuntAfterwards(workspaceId: string): { hunt: HuntAfterwards; huntFailure: Failure | null } {
  const bridge = useBridge();
  const toast = useToast();
  const noteJob = useNoteJob();
  const { openScan } = useNavigation();
  const [isRequested, setWanted] = useState(remembersHuntAfterwards);
  const [huntFailure, setFailure] = useState<Failure | null>(null);
  const hunt = useMemo((): HuntAfterwards => {
    const start = async (): Promise<void> => {
      setFailure(null);
      const answer = await bridge.call('hunts.start', { workspaceId, scope: { kind: 'changed' } });
      // Also where the update was quicker than its estimate.
      if (!answer.ok && answer.failure.kind === 'nothing-to-hunt')
        return toast({ meaning: 'ok', text: sentenceFor(answer.failure).what });
      if (!answer.ok) return setFailure(answer.failure);
      const { id, items } = answer.value;
      noteJob(answer.value);
      toast({ meaning: 'ok', text: text.hunting(items), action: { text: text.showHunt, act: () => openScan(id) } });
    };
    return {
      isRequested,
      want: (next) => {
        setWanted(next);
        rememberHuntAfterwards(next);
      },
      start: () => void start(),
    };
  }, [bridge, toast, noteJob, openScan, workspaceId, isRequested]);
  return { hunt, huntFailure };
}

interface PackageActs {
  /** Makes it the active one, and offers the way back. `afterwards` is called once it is. */
  activate(target: PackageView, afterwards?: () => void): void;
  /** null: nothing is pinned any more. */
  pin(sha256: string | null): void;
  remove(target: PackageView): void;
}

/** An update that would remove many rules, and what a person can say to it. */
export interface Removal {
  failure: FailureOf<'package-removes-many'>;
  confirm(): void;
  cancel(): void;
}

type Asked = (removesMany?: true) => Promise<Result<PublicationsState>>;
type Change = (asked: Asked) => Promise<boolean>;

/** What can be done with the packages that are here. */
function usePackageActs(
  workspaceId: string,
  state: PublicationsState | null,
): { packageFailure: Failure | null; removal: Removal | null; acts: PackageActs } {
  const bridge = useBridge();
  const toast = useToast();
  const { change, packageFailure, removal } = useChange();
  const activate = useActivation(workspaceId, state, change);
  const acts = useMemo((): PackageActs => {
    const remove = async ({ sha256, version }: PackageView): Promise<void> => {
      if (await change(() => bridge.call('publications.remove', { workspaceId, sha256 })))
        toast({ meaning: 'ok', text: text.removed(shortVersion(version)) });
    };
    return {
      activate: (target, afterwards) => void activate(target).then((isActive) => isActive && afterwards?.()),
      pin: (sha256) => void change(() => bridge.call('publications.pin', { workspaceId, sha256 })),
      remove: (target) => void remove(target),
    };
  }, [bridge, toast, change, activate, workspaceId]);
  return { packageFailure, removal, acts };
}

/** One change at a time: a second press while the first is on its way asks for nothing more. */
function useChange(): { change: Change; packageFailure: Failure | null; removal: Removal | null } {
  const [packageFailure, setFailure] = useState<Failure | null>(null);
  const [removal, setRemoval] = useState<Removal | null>(null);
  const isChanging = useRef(false);
  const change = useMemo(
    (): Change => async (asked) => {
      if (isChanging.current) return false;
      isChanging.current = true;
      setFailure(null);
      try {
        const first = await asked();
        const answer =
          !first.ok && first.failure.kind === 'package-removes-many'
            ? await confirmed(first.failure, () => asked(true), setRemoval)
            : first;
        if (answer !== null && !answer.ok) setFailure(answer.failure);
        return answer?.ok ?? false;
      } finally {
        isChanging.current = false;
      }
    },
    [],
  );
  return { change, packageFailure, removal };
}

/** null: the person would rather not. */
async function confirmed(
  failure: Removal['failure'],
  ask: () => Promise<Result<PublicationsState>>,
  show: (removal: Removal | null) => void,
): Promise<Result<PublicationsState> | null> {
  const isMeant = await new Promise<boolean>((resolve) =>
    show({ failure, confirm: () => resolve(true), cancel: () => resolve(false) }),
  );
  show(null);
  return isMeant ? ask() : null;
}

function useActivation(
  workspaceId: string,
  state: PublicationsState | null,
  change: Change,
): (target: PackageView) => Promise<boolean> {
  const bridge = useBridge();
  const toast = useToast();
  const [, note] = usePublicationsPlace(workspaceId);
  return useMemo(() => {
    const makeActive = ({ sha256 }: PackageView): Promise<boolean> =>
      change((removesMany) =>
        bridge.call('publications.activate', { workspaceId, sha256, ...(removesMany && { removesMany }) }),
      );
    const undo = async (former: PackageView): Promise<void> => {
      if (!(await makeActive(former))) return;
      note({ shownPackage: null });
      toast({ meaning: 'ok', text: text.undone(shortVersion(former.version)) });
    };
    return async (target) => {
      const step = state === null ? 'none' : stepTo(target, state);
      const former = state === null ? null : packageOf(state, state.active);
      if (step === 'none') return false;
      // A failure is shown beside it; after success, the active package is shown next.
      note({ shownPackage: target.sha256 });
      if (!(await makeActive(target))) return false;
      note({ shownPackage: null, review: null });
      toast({
        meaning: 'ok',
        text: text.done[step](shortVersion(target.version)),
        ...(former === null ? {} : { undo: () => void undo(former) }),
      });
      return true;
    };
  }, [bridge, toast, note, change, workspaceId, state]);
}

interface PackagePickerProps {
  /** To be clicked when files are wanted. */
  ref: RefObject<HTMLInputElement | null>;
  of: 'files' | 'folder';
  onPick(files: readonly DroppedEntry[]): void;
}

/** The browser's picker for a package. Any file may be one: the host identifies it. */
function PackagePicker({ ref, of, onPick }: PackagePickerProps) {
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const files = [...(currentTarget.files ?? [])];
    if (files.length > 0) onPick(files);
    // The same file can be picked again.
    currentTarget.value = '';
  };
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      data-picker={of === 'folder' ? 'package-folder' : 'package'}
      onChange={take}
      {...(of === 'folder' ? { webkitdirectory: '' } : {})}
    />
  );
}
