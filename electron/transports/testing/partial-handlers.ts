import type { Handlers } from '../../../shared/contract.ts';

const notGiven = (): Promise<never> => Promise.reject(new Error('this test gives no handler for that operation'));

/** Handlers with only the rows a test is about; every other one rejects, as a defect. */
export function partialHandlers(given: Partial<Handlers>): Handlers {
  const rows = new Map<PropertyKey, unknown>(Object.entries(given));
  const none: Handlers = JSON.parse('{}');
  return new Proxy(none, { get: (_none, name) => rows.get(name) ?? notGiven });
}
