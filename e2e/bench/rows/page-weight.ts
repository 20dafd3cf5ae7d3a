import { runEntry } from '../child.ts';
import type { Measured, Row } from '../row.ts';

/** What must come before the page draws anything. A size, so it is counted once; the reference is what sizes are counted in. */
export const pageWeight: Row = {
  name: 'page-weight',
  reference: '1 kB: the JavaScript of the first load, gzipped, is so many',
  limit: 'React and its accessible parts are two fifths of it, the browser’s database and the checks of the contract an eighth; then all that a sample shows, and the dialogs that any room may open. Other rooms come later.',
  aim: 300,
  must: 350,
  residentMustMiB: null,
  measure: weigh,
};

async function weigh(): Promise<Measured> {
  await runEntry('build/page.ts', []);
  return { ratio: Number(await runEntry('build/page-weight.ts', [])) / 1000, residentMiB: null };
}
