import type { QueryClient } from '@tanstack/react-query';
import { isOperationName, type OperationName, operations } from '../../shared/contract.ts';
import { type EventName, isEventName } from '../../shared/events.ts';
import type { Bridge } from '../../shared/transport.ts';
import { paced } from './paced.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Requests answers again when the host reports a change: for each operation, its row of the table names the events and
 * the fields that payload and request have to share. @returns what stops it
 */
export function refreshAnswers(bridge: Bridge<File>, client: QueryClient): () => void {
  const stops = Object.keys(operations)
    .filter(isOperationName)
    .flatMap((name) => {
      const refreshedBy: { readonly [N in EventName]?: readonly string[] } = operations[name].refreshedBy;
      const refresher = new Refresher(client, name, operations[name].refreshEveryMs);
      return [
        () => refresher.stop(),
        ...Object.entries(refreshedBy).flatMap(([event, fields]) =>
          isEventName(event) ? [bridge.subscribe(event, (payload: Fields) => refresher.note(fields, payload))] : [],
        ),
      ];
    });
  return () => stops.forEach((stop) => stop());
}

/** Refreshes the known answers of one operation, those that an event agrees with at the pace of the operation. */
class Refresher {
  readonly #client: QueryClient;
  readonly #name: OperationName;
  readonly #everyMs: number | null;
  /** By the values that requests share with an event: a slow answer about one job delays no other. */
  readonly #paced = new Map<string, () => void>();
  #isStopped = false;

  constructor(client: QueryClient, name: OperationName, everyMs: number | null) {
    this.#client = client;
    this.#name = name;
    this.#everyMs = everyMs;
  }

  note(fields: readonly string[], payload: Fields): void {
    const filters = {
      queryKey: [this.#name],
      predicate: ({ queryKey: [, input] }: { queryKey: readonly unknown[] }): boolean =>
        isFields(input) && fields.every((field) => input[field] === payload[field]),
    };
    if (this.#client.getQueryCache().findAll(filters).length === 0) return;
    const refresh = (): Promise<void> =>
      this.#isStopped ? Promise.resolve() : this.#client.invalidateQueries(filters);
    if (this.#everyMs === null) {
      void refresh();
      return;
    }
    const key = JSON.stringify(fields.map((field) => [field, payload[field]]));
    const run = this.#paced.get(key) ?? paced(this.#everyMs, refresh);
    this.#paced.set(key, run);
    run();
  }

  stop(): void {
    this.#isStopped = true;
  }
}

const isFields = (input: unknown): input is Fields => typeof input === 'object' && input !== null;
