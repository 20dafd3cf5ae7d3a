import { useEffect, useRef } from 'react';
import { useOperation } from '../../bridge/use-operation.ts';
import { useNavigation } from '../navigation.tsx';
import { useSettings } from '../use-settings.ts';

/** A desk that knows no sample begins with the welcome. Whoever leaves it, whichever way, is not led there again. */
export function useWelcome(): void {
  const { values, isKnown, change } = useSettings();
  const { data: library } = useOperation('library.count', {});
  const { room, openRoom } = useNavigation();
  const stage = useRef<'undecided' | 'led' | 'shown' | 'over'>('undecided');
  const isNew = !isKnown || library === undefined ? null : !values.welcomed && library.samples === 0;
  useEffect(() => {
    if (stage.current === 'undecided' && isNew !== null) {
      stage.current = isNew ? 'led' : 'over';
      if (isNew) openRoom('welcome');
    } else if (room === 'welcome') {
      stage.current = 'shown';
    } else if (stage.current === 'shown') {
      stage.current = 'over';
      change({ welcomed: true });
    }
  }, [isNew, room, openRoom, change]);
}
