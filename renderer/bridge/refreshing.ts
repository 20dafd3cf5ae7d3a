import type { QueryClient } from '@tanstack/react-query';
import { isOperationName, type OperationName, operations } from '../../shared/contract.ts';
import { type EventName, isEventName } from '../../shared/events.ts';
import type { Bridge } from '../../shared/transport.ts';
import { paced } from './paced.ts';

type Fields = Readonly<Record<string, unknown>>;
type IsStale = (input: Fields) => boolean;

/**
 * Requests answers again when the host reports a change: for each operation, its row of the table names the events and
 * the fields that payload and request have to share. @returns what stops it
 */
export function refreshAnswers(bridge: Bridge<File>, client: QueryClient): () => void {
  const stops = Object.keys(operations)
    .filter(isOperationName)
    .flatMap((name) => {
      const refreshedBy: { readonly [N in EventName]?: readonly string[] } = operations[name].refreshedBy;
      const refresh = refresherOf(client, name, operations[name].refreshEveryMs);
      return Object.entries(refreshedBy).flatMap(([event, fields]) =>
        isEventName(event)
          ? [
              bridge.subscribe(event, (payload: Fields) =>
                refresh((input) => fields.every((field) => input[field] === payload[field])),
              ),
            ]
          : [],
      );
    });
  return () => stops.forEach((stop) => stop());
}

function refresherOf(client: QueryClient, name: OperationName, everyMs: number | null): (isStale: IsStale) => void {
  const refresh = (stale: readonly IsStale[]): Promise<void> =>
    client.invalidateQueries({
      queryKey: [name],
      predicate: ({ queryKey: [, input] }) => isFields(input) && stale.some((isStale) => isStale(input)),
    });
  if (everyMs === null) return (isStale) => void refresh([isStale]);
  let waiting: IsStale[] = [];
  const run = paced(everyMs, () => {
    const stale = waiting;
    waiting = [];
    return refresh(stale);
  });
  return (isStale) => {
    waiting.push(isStale);
    run();
  };
}

const isFields = (input: unknown): input is Fields => typeof input === 'object' && input !== null;
