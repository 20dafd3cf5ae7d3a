import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useOperation } from '../bridge/operations.ts';
import { useLookupStore } from '../features/lookup/lookup-store.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useSettings } from '../state/settings.ts';

/**
 * A library without samples begins with the welcome, unless a link has brought a hash. A person who leaves it, by any
 * way, is not led there again.
 *
 * @returns whether a view can be shown: until the first view is known, one would appear for a moment only
 */
export function useWelcome(): boolean {
  const { currentView, openView } = useNavigation();
  const { change } = useSettings();
  const isMeant = useIsMeant();
  const [stage, setStage] = useState<'undecided' | 'led' | 'left' | 'over'>('undecided');
  if (stage === 'undecided' && isMeant === false) setStage('over');
  if (stage === 'led' && currentView !== 'welcome') setStage('left');
  useEffect(() => {
    if (stage !== 'undecided' || isMeant !== true) return;
    // With its view, which may still be on its way.
    startTransition(() => {
      setStage('led');
      openView('welcome');
    });
  }, [stage, isMeant, openView]);
  const noteLeft = useEffectEvent(() => change({ welcomed: true }));
  // Sent before the next view is drawn: a page that is reloaded right then must not begin with the welcome again.
  useLayoutEffect(() => {
    if (stage === 'left') noteLeft();
  }, [stage]);
  return currentView !== 'lookup' || stage === 'left' || stage === 'over';
}

/** Whether to show the welcome; null: not known yet. If it cannot be read, the welcome is not shown. */
function useIsMeant(): boolean | null {
  const { values, isKnown, failure } = useSettings();
  const { data: library, error } = useOperation('library.count', {});
  const { currentView } = useNavigation();
  const hasHash = useLookupStore().text !== '';
  if (hasHash || currentView !== 'lookup' || values.welcomed || failure !== null || error !== null) return false;
  return isKnown && library !== undefined ? library.samples === 0 : null;
}

/**
 * A page that is left needs no tidying. React Aria takes back what it put in place of `HTMLElement.prototype.focus`
 * (interactions, useFocusVisible.ts, `tearDownWindowFocusTracking`): with that the engine throws away all code that
 * knows an element, 50 ms of work on the way out. And a page that stays, as it does when what it went to is saved as a
 * file, lost its sense for the keyboard.
 */
export function disableUnloadCleanup(page: EventTarget): void {
  page.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true });
}
