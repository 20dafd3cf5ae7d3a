import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { defaultSettings, recordsAtOnce } from '../../../shared/domain/settings.ts';
import { LookupPage } from '../../pages/lookup-page.ts';
import { runEntry, startServer } from '../child.ts';
import { type HostCalls, workWithRepository } from '../host-calls.ts';
import type { Measured, Row, RowSettings, Standstill } from '../row.ts';
import { walkByKeys, wheel } from '../scroll.ts';
import { type Standstills, standstillsOf } from '../standstills.ts';
import { longestOf } from '../stretch.ts';
import { openWebHostPage, type WebHostPage } from '../web-host-page.ts';

/**
 * A text with a hundred thousand hashes is pasted into the look-up: its table is scrolled, sorted, filtered and ticked
 * while records come in, and once all are there.
 */
export const triage100k: Row = {
  name: 'triage-100k',
  reference: 'the same requests without a host: node:http, as many at a time',
  limit:
    'SQLite, which writes the row, the words and the values of each record on the host’s own thread; and the page, ' +
    'which draws what comes.',
  aim: 2,
  must: 6,
  residentMustMiB: null,
  longestMustMs: 50,
  measure: compare,
};

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  const { text, hashes, md5s } = textOf(quick ? 10_000 : 100_000);
  const listPath = join(folder, 'md5s');
  await writeFile(listPath, md5s.join('\n'));
  const { match } = await startServer('e2e/bench/record-server.ts', [], /^listening on (\d+)$/);
  const baseUrl = `http://127.0.0.1:${match[1]}`;
  const vitrine = await openWebHostPage(folder);
  try {
    await openWorkspace(vitrine, baseUrl);
    const begun = performance.now();
    const pasted = await whileItIsPasted(vitrine, text);
    const coming = await whileRecordsCome(vitrine, hashes);
    const seconds = (performance.now() - begun) / 1000;
    const complete = await lookThrough(vitrine);
    const reference = await referenceSeconds(baseUrl, listPath);
    return {
      ratio: seconds / reference,
      residentMiB: null,
      longest: [...standing('pasted', pasted), ...standing('records come', coming), ...standing('complete', complete)],
      held: [
        { what: 'slowest answer, records come, seconds', value: coming.slowest, must: answersMust.coming },
        { what: 'slowest answer, complete, seconds', value: complete.slowest, must: answersMust.complete },
      ],
    };
  } finally {
    await vitrine.close();
  }
}

/** To another order or filter of all rows. In seconds. */
const answersMust = { coming: 5, complete: 2 };

const standing = (what: string, { page, host }: Standstills): Standstill[] => [
  { what: `page, ${what}`, ...page },
  { what: `host, ${what}`, ...host },
];

async function referenceSeconds(baseUrl: string, listPath: string): Promise<number> {
  const begun = performance.now();
  const atOnce = String(recordsAtOnce(defaultSettings.bulkConnections));
  await runEntry('e2e/bench/record-requests.ts', [baseUrl, listPath, atOnce]);
  return (performance.now() - begun) / 1000;
}

const words = 'the host wrote a file into its folder, and sent it over the network to another server;'.split(' ');
/** Of five hashes three are MD5s: no other can be requested of the repository. */
const kinds = ['md5', 'md5', 'md5', 'sha1', 'sha256'] as const;

/** A report: each hash with some prose around it. */
function textOf(hashes: number): { text: string; hashes: number; md5s: string[] } {
  const md5s: string[] = [];
  const lines = Array.from({ length: hashes }, (_, number) => {
    const kind = kinds[number % kinds.length] ?? 'md5';
    const hash = createHash(kind).update(`sample ${number}`).digest('hex');
    if (kind === 'md5') md5s.push(hash);
    return `${words.slice(number % words.length).join(' ')} ${hash} ${words[number % words.length]}\n`;
  });
  return { text: lines.join(''), hashes, md5s };
}

async function openWorkspace({ page, call }: WebHostPage, baseUrl: string): Promise<void> {
  await workWithRepository(call, baseUrl);
  await page.reload();
  await new LookupPage(page).open();
}

const grid = (page: Page) => page.getByRole('main').getByRole('grid');
const firstRow = (page: Page, content: RegExp): Promise<void> =>
  grid(page).getByRole('row').nth(1).filter({ hasText: content }).waitFor();

/** From the paste to the table. Handing the text to the browser is not watched. */
async function whileItIsPasted(vitrine: WebHostPage, text: string): Promise<Standstills> {
  const { page } = vitrine;
  const clipboard = await page.evaluateHandle((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    return data;
  }, text);
  return standstillsOf(vitrine, async () => {
    await new LookupPage(page).field.evaluate((field, clipboardData) => {
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, clipboard);
    await grid(page).getByRole('row').nth(5).waitFor({ timeout: 120_000 });
  });
}

/** `slowest`: the longest wait for the rows of another order or filter, in seconds. */
type Looked = Standstills & { slowest: number };

const longestOfEach = (rounds: readonly Looked[]): Looked => ({
  page: longestOf(rounds.map(({ page }) => page)),
  host: longestOf(rounds.map(({ host }) => host)),
  slowest: Math.max(...rounds.map(({ slowest }) => slowest)),
});

/** Watched a round at a time: a record of the browser's tasks over all of it would be too large to be read. */
async function whileRecordsCome(vitrine: WebHostPage, hashes: number): Promise<Looked> {
  const rounds: Looked[] = [];
  do rounds.push(await lookThrough(vitrine));
  while (!(await isComplete(vitrine.call, hashes)));
  return longestOfEach(rounds);
}

/** Rejects for a look-up that ended otherwise, or lost a hash. */
async function isComplete(call: HostCalls, hashes: number): Promise<boolean> {
  const { jobs } = await call('jobs.list', {});
  const job = jobs.find(({ task }) => task.kind === 'triage');
  if (job?.state === 'running') return false;
  const { counts, state } = job ?? {};
  const answered = (counts?.done ?? 0) + (counts?.unknown ?? 0) + (counts?.['needs-md5'] ?? 0);
  if (state !== 'done' || answered !== hashes) throw new Error(`the look-up is ${state}: ${JSON.stringify(counts)}`);
  return true;
}

/** Scrolls, sorts, filters and ticks all rows. */
async function lookThrough(vitrine: WebHostPage): Promise<Looked> {
  const { page } = vitrine;
  const waits: number[] = [];
  const timed = async (press: () => Promise<void>, first: RegExp): Promise<void> => {
    const begun = performance.now();
    await press();
    await firstRow(page, first);
    waits.push((performance.now() - begun) / 1000);
  };
  const standstills = await standstillsOf(vitrine, async () => {
    await wheel(page, grid(page), 20_000);
    await walkByKeys(page, grid(page));
    await sortAndFilter(page, timed);
    await tickAll(page);
  });
  return { ...standstills, slowest: Math.max(...waits) };
}

async function sortAndFilter(
  page: Page,
  timed: (press: () => Promise<void>, first: RegExp) => Promise<void>,
): Promise<void> {
  const name = grid(page).getByRole('columnheader', { name: 'Name' });
  await timed(() => name.click(), /sample_0/);
  await timed(() => name.click(), /sample_f/);
  await timed(() => name.click(), /^(?!.*sample_f)/);
  const chip = page.getByRole('toolbar', { name: 'Status' }).getByRole('button', { name: /unknown/ });
  await timed(() => chip.click(), /Unknown|Needs an MD5/);
  await chip.click();
  const find = page.getByLabel('Filter by hash, name, threat, type or tag');
  await timed(() => find.fill('sample_f'), /sample_f/);
  await timed(() => find.fill(''), /^(?!.*sample_f)/);
}

async function tickAll(page: Page): Promise<void> {
  const all = grid(page).getByRole('columnheader', { name: 'Select all' });
  const actions = page.getByRole('group', { name: 'Actions for selected hashes' });
  await all.click();
  await actions.getByRole('button', { name: /^Download [1-9]/ }).waitFor();
  await all.click();
  await actions.waitFor({ state: 'detached' });
}
