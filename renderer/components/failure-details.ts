import type { Failure } from '../../shared/failure.ts';
import { originOf } from '../bridge/failure-origins.ts';

const addressParts = /\b(https?:\/\/)(?:[^\s/@"]*@)?([^\s?#"<>]*)[?#][^\s"<>]*/gi;
const namedSecrets = /\b(bearer\s+|(?:token|api_?key|password|secret|signature)["']?\s*[=:]\s*["']?)[^\s"'&,;<>]+/gi;

/**
 * What whoever keeps the service, or this program, has to know, as text: kind, facts, operation, time (UTC) and version. The host lets no token and
 * no whole address into a fact; the words of a service are looked through here once more, because this text leaves the desk.
 */
export function detailsOf(failure: Failure, version: string | null, copied = new Date()): string {
  const { operation, at } = originOf(failure) ?? { operation: null, at: null };
  const facts = Object.fromEntries(Object.entries(failure).map(([name, fact]: [string, unknown]) => [name, typeof fact === 'string' ? withoutSecrets(fact) : fact]));
  return JSON.stringify({ ...facts, operation: 'operation' in failure ? failure.operation : operation, at, copied: copied.toISOString(), version }, null, 2);
}

function withoutSecrets(fact: string): string {
  return fact
    .replace(addressParts, '$1$2')
    .replace(/\b(https?:\/\/)[^\s/@"]*@/gi, '$1')
    .replace(namedSecrets, '$1[secret]');
}
