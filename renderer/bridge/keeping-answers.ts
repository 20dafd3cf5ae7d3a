import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { PublicationsState } from '../../shared/domain/publication.ts';
import type { WatchState } from '../../shared/domain/watch.ts';
import type { Bridge } from '../../shared/transport.ts';

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
 * The same bridge; a state that an action answers is remembered as if it had been read, before whoever asked gets it.
 * Answers overtake each other: where another one came in the meantime, or is on its way, nobody here can tell which is
 * the newer, and it is read again.
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
