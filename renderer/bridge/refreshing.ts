import type { Query, QueryClient } from '@tanstack/react-query';
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
  readonly #paced = new WeakMap<Query, () => void>();
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
    const queries = this.#client.getQueryCache().findAll(filters);
    if (queries.length === 0) return;
    if (this.#everyMs === null) void (this.#isStopped || this.#client.invalidateQueries(filters));
    else for (const query of queries) this.#pacedOf(query, this.#everyMs)();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Each answer at its own pace: a slow one about one job delays no other. */
  #pacedOf(query: Query, everyMs: number): () => void {
    const known = this.#paced.get(query) ?? paced(everyMs, () => this.#refresh(query));
    this.#paced.set(query, known);
    return known;
  }

  /** What is under way is waited for: changes that come faster than answers would else keep them all from the page. */
  async #refresh(query: Query): Promise<void> {
    // Why it failed is shown where the answer would be.
    if (query.state.fetchStatus === 'fetching') await query.fetch().catch(() => {});
    if (!this.#isStopped) await this.#client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}

const isFields = (input: unknown): input is Fields => typeof input === 'object' && input !== null;
