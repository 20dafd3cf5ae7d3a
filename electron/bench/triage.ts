import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { addRepository, openHost } from './host.ts';
import { residentMiB } from './resident.ts';

const options = z.object({
  'base-url': z.url(),
  list: z.string().min(1),
  data: z.string().min(1),
  token: z.string().min(1),
});
const hashesACall = 5000;
const rowsACall = 1000;

/**
 * Looks up the MD5s of a file, one a line, in a new data directory: from the first hash that the host gets until a
 * table of them has the record of each.
 */
export async function benchTriage(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      'base-url': { type: 'string' },
      list: { type: 'string' },
      data: { type: 'string' },
      token: { type: 'string' },
    },
  });
  const { 'base-url': baseUrl, list, data, token } = options.parse(values);
  const hashes = (await readFile(list, 'utf8')).split('\n').filter((line) => line !== '');
  const host = await openHost(data, null);
  try {
    const workspaceId = await addRepository(host, baseUrl, token);
    const begun = performance.now();
    const { id } = await host.ask('triage.create', { workspaceId });
    for (let at = 0; at < hashes.length; at += hashesACall)
      await host.ask('triage.add', { id, hashes: hashes.slice(at, at + hashesACall) });
    await host.ask('triage.start', { id });
    await host.done(id);
    let complete = 0;
    for (let offset = 0; offset < hashes.length; offset += rowsACall) {
      const { rows } = await host.ask('triage.rows', {
        id,
        filter: { states: [], severities: [], find: '' },
        sort: { by: 'position', descending: false },
        moment: 'bench',
        offset,
        limit: rowsACall,
      });
      complete += rows.filter(({ state, sample }) => state === 'repository' && sample?.isRecorded === true).length;
    }
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, complete, residentMiB: residentMiB() };
  } finally {
    await host.close();
  }
}
