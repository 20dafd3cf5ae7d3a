import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openHost } from './host.ts';
import { residentMiB } from './resident.ts';

const options = z.object({ data: z.string().min(1), exports: z.string().min(1) });
const passphrase = 'a passphrase of the bench';

/** All that the library has, from the vault into one bundle; then it is looked through, which is not measured. */
export async function benchBundle(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' }, exports: { type: 'string' } } });
  const { data, exports } = options.parse(values);
  const host = await openHost(data, exports);
  try {
    const begun = performance.now();
    const { id } = await host.ask('bundles.start', {
      selection: { kind: 'query', terms: [], except: [] },
      parts: { samples: true, notes: true, threads: true, rules: false },
      title: 'bench',
      author: 'bench',
      passphrase,
      workspaceId: 'lab',
    });
    const { task } = await host.done(id);
    const seconds = (performance.now() - begun) / 1000;
    const fileName = task.kind === 'bundle' ? (task.result ?? '') : '';
    const resident = residentMiB();
    const { facts, failure } = await host.bundle(`${exports}/${fileName}`, passphrase);
    if (facts === null) throw new Error(`the bundle is not whole: ${JSON.stringify(failure)}`);
    return { seconds, residentMiB: resident, withBytes: facts.withBytes, bytes: facts.bytes };
  } finally {
    await host.close();
  }
}
