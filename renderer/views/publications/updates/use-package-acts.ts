import { useMemo, useRef, useState } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import type { Failure, FailureOf, Result } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import { packageOf, stepTo } from './update-step.ts';

export interface PackageActs {
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
export function usePackageActs(
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
      // Why it did not work is told beside it; when it worked, what is shown next is what is active.
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
