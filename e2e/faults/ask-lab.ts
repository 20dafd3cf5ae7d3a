import { get, type IncomingMessage } from 'node:http';

/**
 * A hash in upper case is another hash to these servers: it is looked up as an unknown one. Of a single one the last
 * counts.
 */
export async function askLab(target: string, parameters: URLSearchParams, hashName: string): Promise<IncomingMessage> {
  const given = parameters.getAll(hashName);
  const asked = hashName.endsWith('[]') ? given : [given.at(-1) ?? ''];
  const query = new URLSearchParams([
    ['action', parameters.getAll('action').at(-1) ?? ''],
    ['token', parameters.getAll('token').at(-1) ?? ''],
    ...asked.map((hash) => [hashName, knownAs(hash)]),
  ]);
  return new Promise((resolve, reject) => get(`${target}/api.php?${query.toString()}`, resolve).once('error', reject));
}

const knownAs = (hash: string): string => (/^[0-9a-f]{32}$/.test(hash) ? hash : '0'.repeat(32));
