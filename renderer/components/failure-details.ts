import type { Failure } from '../../shared/failure.ts';
import { originOf } from '../bridge/bridge-context.tsx';
import { withoutSecrets } from './without-secrets.ts';

/**
 * What whoever keeps the service, or this program, has to know, as text: kind, facts, operation, time (UTC) and
 * version. The host lets no token and no whole address into a fact; the words of a service are looked through here once
 * more, because this text leaves the desk.
 */
export function detailsOf(failure: Failure, version: string | null, copied = new Date()): string {
  const { operation, at } = originOf(failure) ?? { operation: null, at: null };
  const facts = Object.fromEntries(
    Object.entries(failure).map(([name, fact]: [string, unknown]) => [name, shareable(fact)]),
  );
  return JSON.stringify(
    {
      ...facts,
      operation: 'operation' in failure ? failure.operation : operation,
      at,
      copied: copied.toISOString(),
      version,
    },
    null,
    2,
  );
}

/** Facts lie within facts: the issues of an input do. */
function shareable(fact: unknown): unknown {
  if (typeof fact === 'string') return withoutSecrets(fact);
  if (Array.isArray(fact)) return fact.map(shareable);
  if (typeof fact !== 'object' || fact === null) return fact;
  return Object.fromEntries(Object.entries(fact).map(([name, inner]: [string, unknown]) => [name, shareable(inner)]));
}
