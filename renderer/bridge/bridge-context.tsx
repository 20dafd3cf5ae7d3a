import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Bridge } from '../../shared/transport.ts';
import { notingOrigins } from './failure-origins.ts';
import { keepingAnswers } from './keeping-answers.ts';
import { createQueryClient } from './query-client.ts';

const BridgeContext = createContext<Bridge<File> | null>(null);

export interface BridgeProviderProps {
  bridge: Bridge<File>;
  /** Given where something outside of React refreshes it; otherwise one is made. */
  client?: QueryClient;
  children: ReactNode;
}

/** Gives everything below it the bridge and the memory of what was read over it. */
export function BridgeProvider({ bridge, client, children }: BridgeProviderProps): ReactNode {
  const [ownClient] = useState(() => client ?? createQueryClient());
  const memory = client ?? ownClient;
  const noting = useMemo(() => notingOrigins(keepingAnswers(bridge, memory)), [bridge, memory]);
  return (
    <BridgeContext value={noting}>
      <QueryClientProvider client={memory}>{children}</QueryClientProvider>
    </BridgeContext>
  );
}

export function useBridge(): Bridge<File> {
  const bridge = useContext(BridgeContext);
  if (!bridge) throw new Error('useBridge outside of a BridgeProvider');
  return bridge;
}
