import type { FuzzTarget } from '../../shared/testing/fuzz-target.ts';

type Loaded = () => Promise<{ target: FuzzTarget }>;

/** Every reader of what comes from outside, in the order of the table. Each process loads the one it attacks. */
const targets: ReadonlyMap<string, Loaded> = new Map<string, Loaded>([
  ['sample-reply', () => import('../api/replies/read-sample-reply.fuzz.ts')],
  ['zip-stream', () => import('../archive/reading/zip-stream.fuzz.ts')],
  ['hash-soup', () => import('../../shared/domain/hash-soup.fuzz.ts')],
]);

export const targetNames: readonly string[] = [...targets.keys()];

export async function loadTarget(name: string): Promise<FuzzTarget> {
  const load = targets.get(name);
  if (!load) throw new RangeError(`There is no target "${name}".`);
  const { target } = await load();
  if (target.name !== name) throw new TypeError(`the target "${name}" calls itself "${target.name}"`);
  return target;
}
