import { type QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { PublicationsState } from '../../shared/domain/publication.ts';
import type { WatchState } from '../../shared/domain/watch.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import type { Bridge } from '../../shared/transport.ts';
import { createQueryClient } from './query-client.ts';
import { refreshAnswers } from './refreshing.ts';

const BridgeContext = createContext<Bridge<File> | null>(null);

interface BridgeProviderProps {
  bridge: Bridge<File>;
  /** Given where something outside of React refreshes it; otherwise one is made. */
  client?: QueryClient;
  children: ReactNode;
}

/** Gives everything below it the bridge and the memory of what was read over it, which follows the host's events. */
export function BridgeProvider({ bridge, client, children }: BridgeProviderProps): ReactNode {
  const [ownClient] = useState(() => client ?? createQueryClient());
  const memory = client ?? ownClient;
  const noting = useMemo(() => notingOrigins(keepingAnswers(bridge, memory)), [bridge, memory]);
  useEffect(() => refreshAnswers(bridge, memory), [bridge, memory]);
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

/** What an action answers is what this reading would. */
interface AnsweredReading<N extends OperationName> {
  key(input: OperationInput<N>): QueryKey;
  state(output: OperationOutput<N>): unknown;
}

const ofPublications = {
  key: ({ workspaceId }: { workspaceId: string }) => ['publications.state', { workspaceId }],
  state: (state: PublicationsState) => state,
};
const ofWatch = { key: () => ['watch.state', {}], state: (state: WatchState) => state };

const answeredReadings: { [N in OperationName]?: AnsweredReading<N> } = {
  'publications.activate': ofPublications,
  'publications.pin': ofPublications,
  'publications.remove': ofPublications,
  'publications.setOptions': ofPublications,
  'watch.turn': ofWatch,
  'watch.clear': ofWatch,
  'watch.chooseFolder': { key: ofWatch.key, state: ({ state }) => state },
};

/**
 * The same bridge; a state that an action returns is stored as if it had been read, before the caller gets it. Answers
 * can overtake each other: if another one came in the meantime, or is on its way, it is unknown which is newer, and the
 * state is read again.
 */
export function keepingAnswers(bridge: Bridge<File>, client: QueryClient): Bridge<File> {
  return {
    call: async (name, input) => {
      const reading = answeredReadings[name];
      if (reading === undefined) return bridge.call(name, input);
      const key = reading.key(input);
      const before = timesAnswered(client, key);
      const answer = await bridge.call(name, input);
      if (answer.ok) await keep(client, key, reading.state(answer.value), timesAnswered(client, key) !== before);
      return answer;
    },
    subscribe: (name, listener) => bridge.subscribe(name, listener),
    stageFile: (file) => bridge.stageFile(file),
  };
}

const timesAnswered = (client: QueryClient, key: QueryKey): number => client.getQueryState(key)?.dataUpdateCount ?? 0;

/** Done once a state is known that is not older than the answer. */
async function keep(client: QueryClient, queryKey: QueryKey, state: unknown, isOvertaken: boolean): Promise<void> {
  const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey, exact: true });
  if (isOvertaken) return readAgain();
  const isRead = client.isFetching({ queryKey, exact: true }) > 0;
  client.setQueryData(queryKey, state);
  if (isRead) void readAgain();
  return undefined;
}

/** Which call a failure was the answer to, and when it came (UTC, ISO 8601). */
interface FailureOrigin {
  operation: OperationName | 'stage';
  at: string;
}

/** A failure that came inside of an answer, such as that of a job, has none. */
const origins = new WeakMap<Failure, FailureOrigin>();

export const originOf = (failure: Failure): FailureOrigin | null => origins.get(failure) ?? null;

/**
 * The same bridge; where a failure came from is noted before anybody sees it. What was asked is not: it may hold a
 * passphrase.
 */
export function notingOrigins(bridge: Bridge<File>): Bridge<File> {
  const note = (failure: Failure, operation: FailureOrigin['operation']): void =>
    void origins.set(failure, { operation, at: new Date().toISOString() });
  return {
    call: (name, input) => {
      const reply = bridge.call(name, input);
      void reply.then((result) => !result.ok && note(result.failure, name));
      return reply;
    },
    subscribe: (name, listener) => bridge.subscribe(name, listener),
    stageFile: (file) => {
      const reply = bridge.stageFile(file);
      void reply.then((result) => !result.ok && note(result.failure, 'stage'));
      return reply;
    },
  };
}
