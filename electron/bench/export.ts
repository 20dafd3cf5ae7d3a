import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openDesk, type BenchDesk } from './desk.ts';
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
  const desk = await openDesk(data, exports);
  try {
    await exportOne(desk, id);
    const begun = performance.now();
    const { id: exportId } = await desk.ask('exports.start', {
      selection: { kind: 'job', id, filter: { states: [], find: '' } },
      as: { form: 'one-zip', encryption: 'aes-256', password: 'infected' },
    });
    const { task } = await desk.done(exportId);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, residentMiB: residentMiB(), fileName: task.kind === 'export' ? task.result : null };
  } finally {
    await desk.close();
  }
}

/** What is measured is an export, not how long a program that was just started takes to its first. */
async function exportOne(desk: BenchDesk, job: number): Promise<void> {
  const { items } = await desk.ask('jobs.items', {
    id: job,
    filter: { states: [], find: '' },
    sort: { column: 'position', descending: false },
    offset: 0,
    limit: 1,
  });
  const sha256s = items.flatMap(({ sha256 }) => sha256 ?? []);
  const { id } = await desk.ask('exports.start', {
    selection: { kind: 'samples', sha256s },
    as: { form: 'one-zip', encryption: 'aes-256', password: 'infected' },
  });
  await desk.done(id);
}
