import { z } from 'zod';
import { type Handlers, operations } from '../../../shared/contract.ts';

const names = Object.keys(operations);
const notGiven = (): Promise<never> => Promise.reject(new Error('this test gives no handler for that operation'));
const handlers = z.custom<Handlers>((value) => {
  const rows = z.record(z.string(), z.unknown()).parse(value);
  return names.every((name) => typeof rows[name] === 'function');
}, 'a function for each operation');

/** Handlers with only the rows a test is about; every other one rejects, as a defect. */
export function partialHandlers(given: Partial<Handlers>): Handlers {
  const rows = new Map<string, unknown>(Object.entries(given));
  return handlers.parse(Object.fromEntries(names.map((name) => [name, rows.get(name) ?? notGiven])));
}
