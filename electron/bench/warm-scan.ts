import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pid, platform } from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import { type BenchHost, openHost } from './host.ts';
import { prepare } from './scan.ts';

const options = z.object({ data: z.string().min(1), rules: z.string().min(1), files: z.string().min(1) });
const scans = 9;

/**
 * Scans the files of a folder again and again with a package that is compiled. `seconds`: of the median scan, from
 * staging its files to the end of its job. `engineMiB`: the resident memory of all processes that were started for it,
 * afterwards; null where the system does not report it.
 */
export async function benchWarmScan(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, rules: { type: 'string' }, files: { type: 'string' } },
  });
  const { data, rules, files } = options.parse(values);
  const paths = (await readdir(files)).map((name) => join(files, name));
  const host = await openHost(data, null);
  try {
    await prepare(host, rules, 'native');
    await scan(host, paths);
    const taken: number[] = [];
    for (let count = 0; count < scans; count += 1) {
      const begun = performance.now();
      await scan(host, paths);
      taken.push((performance.now() - begun) / 1000);
    }
    return {
      seconds: taken.toSorted((one, other) => one - other)[Math.floor(scans / 2)],
      engineMiB: platform === 'linux' ? await childrenMiB() : null,
    };
  } finally {
    await host.close();
  }
}

async function scan(host: BenchHost, paths: readonly string[]): Promise<void> {
  const files: { id: string }[] = [];
  for (const path of paths) files.push({ id: (await host.stage(path)).id });
  const { id } = await host.ask('scans.start', {
    workspaceId: labWorkspaceId,
    engines: 'local',
    files,
    samples: [],
    tlp: null,
  });
  await host.done(id);
}

/** The lab does not run here: all children are engines. */
async function childrenMiB(): Promise<number> {
  let kib = 0;
  const tasks = await readdir('/proc/self/task');
  for (const task of tasks) {
    const children = (await readFile(`/proc/${pid}/task/${task}/children`, 'latin1'))
      .split(' ')
      .filter((child) => child !== '');
    for (const child of children)
      kib += Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${child}/status`, 'latin1'))?.[1] ?? 0);
  }
  return kib / 1024;
}
