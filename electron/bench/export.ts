import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openHost, type BenchHost } from './host.ts';
import { residentMiB } from './resident.ts';

const options = z.object({
  data: z.string().min(1),
  exports: z.string().min(1),
  job: z.coerce.number().int().positive(),
});

/** What a bulk job brought, from the vault into one AES-256 ZIP with the password `infected`. */
export async function benchExport(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, exports: { type: 'string' }, job: { type: 'string' } },
  });
  const { data, exports, job: id } = options.parse(values);
  const host = await openHost(data, exports);
  try {
    await exportOne(host, id);
    const begun = performance.now();
    const { id: exportId } = await host.ask('exports.start', {
      selection: { kind: 'job', id, filter: { states: [], find: '' } },
      as: { form: 'one-zip', encryption: 'aes-256', password: 'infected' },
    });
    const { task } = await host.done(exportId);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, residentMiB: residentMiB(), fileName: task.kind === 'export' ? task.result : null };
  } finally {
    await host.close();
  }
}

/** What is measured is an export, not how long a program that was just started takes to its first. */
async function exportOne(host: BenchHost, job: number): Promise<void> {
  const { items } = await host.ask('jobs.items', {
    id: job,
    filter: { states: [], find: '' },
    sort: { column: 'position', descending: false },
    offset: 0,
    limit: 1,
  });
  const sha256s = items.flatMap(({ sha256 }) => sha256 ?? []);
  const { id } = await host.ask('exports.start', {
    selection: { kind: 'samples', sha256s },
    as: { form: 'one-zip', encryption: 'aes-256', password: 'infected' },
  });
  await host.done(id);
}
