import { useEffect, useRef } from 'react';
import { useOperation } from '../../bridge/use-operation.ts';
import { useLookupDesk } from '../lookup-desk.tsx';
import { useNavigation } from '../navigation.tsx';
import { useSettings } from '../use-settings.ts';

/** A desk that knows no sample begins with the welcome, unless a link has brought a hash. Whoever leaves it, whichever way, is not led there again. */
export function useWelcome(): void {
  const { values, isKnown, change } = useSettings();
  const { data: library } = useOperation('library.count', {});
  const { room, openRoom } = useNavigation();
  const hasHash = useLookupDesk().text !== '';
  const stage = useRef<'undecided' | 'led' | 'shown' | 'over'>('undecided');
  const isNew = !isKnown || library === undefined ? null : !values.welcomed && library.samples === 0;
  useEffect(() => {
    if (stage.current === 'undecided' && isNew !== null) {
      const leads = isNew && !hasHash;
      stage.current = leads ? 'led' : 'over';
      if (leads) openRoom('welcome');
    } else if (room === 'welcome') {
      stage.current = 'shown';
    } else if (stage.current === 'shown') {
      stage.current = 'over';
      change({ welcomed: true });
    }
  }, [isNew, hasHash, room, openRoom, change]);
}
