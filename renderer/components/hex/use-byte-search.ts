import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { BytePattern, ByteSource } from '../../../shared/domain/byte-view.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';

export type SearchState =
  | { kind: 'idle' }
  | { kind: 'busy' }
  | { kind: 'found'; offset: number }
  /** None in that direction. */
  | { kind: 'none'; backwards: boolean }
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: Failure };

export interface SearchOrder {
  pattern: BytePattern;
  from: number;
  backwards: boolean;
}

export interface ByteSearch {
  state: SearchState;
  run(order: SearchOrder): void;
  /** False where nothing was being looked for. */
  stop(): boolean;
  forget(): void;
}

/** One search at a time: another one, leaving the file and Escape give it up. */
export function useByteSearch(source: ByteSource, onFound: (offset: number, length: number) => void): ByteSearch {
  const bridge = useBridge();
  const [state, setState] = useState<SearchState>({ kind: 'idle' });
  const running = useRef<string | null>(null);
  const giveUp = (): boolean => {
    const search = running.current;
    running.current = null;
    if (search !== null) void bridge.call('bytes.stopFind', { search });
    return search !== null;
  };
  const leave = useEffectEvent(giveUp);
  useEffect(() => () => void leave(), []);
  const run = async ({ pattern, from, backwards }: SearchOrder): Promise<void> => {
    giveUp();
    const search = crypto.randomUUID();
    running.current = search;
    setState({ kind: 'busy' });
    const result = await bridge.call('bytes.find', { source, pattern, from, backwards, search });
    if (running.current !== search) return;
    running.current = null;
    if (!result.ok) return setState({ kind: 'failed', failure: result.failure });
    const { offset } = result.value;
    setState(offset === null ? { kind: 'none', backwards } : { kind: 'found', offset });
    if (offset !== null) onFound(offset, pattern.hex.length / 2);
  };
  return {
    state,
    run: (order) => void run(order),
    stop: () => {
      const wasBusy = giveUp();
      if (wasBusy) setState({ kind: 'stopped' });
      return wasBusy;
    },
    forget: () => {
      giveUp();
      setState({ kind: 'idle' });
    },
  };
}
