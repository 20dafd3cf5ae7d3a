import { useEffect, useEffectEvent } from 'react';
import type { EventName, EventPayload } from '../../shared/contract.ts';
import { useBridge } from './bridge-context.tsx';

/** Calls the latest `listener` for each event of that name while the component is shown. */
export function useEvent<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): void {
  const bridge = useBridge();
  const receive = useEffectEvent(listener);
  useEffect(() => bridge.subscribe(name, (payload) => receive(payload)), [bridge, name]);
}
