import { runEntry } from '../child.ts';
import type { Measured, Row } from '../row.ts';

/**
 * What must come before the page draws anything. A size, so it is counted once; the reference is what sizes are counted
 * in.
 */
export const pageWeight: Row = {
  name: 'page-weight',
  reference: '1 kB: the size of the JavaScript of the first load, gzipped',
  limit:
    'React and its accessible components are nearly half of it; then the contract schemas, and the view of a ' +
    'sample. Other views, exports and the browser’s database are loaded later.',
  aim: 300,
  must: 350,
  residentMustMiB: null,
  measure: weigh,
};

async function weigh(): Promise<Measured> {
  await runEntry('build/page.ts', []);
  return { ratio: Number(await runEntry('build/page-weight.ts', [])) / 1000, residentMiB: null };
}
