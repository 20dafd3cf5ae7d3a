import { expect, type Page } from '@playwright/test';
import type { Measured, Row, RowSettings } from '../row.ts';
import { walkByKeys, wheel, wheelDownAndUp } from '../scroll.ts';
import { rooms, type Standstills, standstillsOf } from '../standstills.ts';
import { openWebDesk, type WebDesk } from '../web-desk.ts';
import { stockedLibrary } from './library.ts';

/**
 * The list of a library of a million samples: scrolled, walked from end to end by keys, searched letter by letter, and
 * shown while all of it is being tagged.
 */
export const libraryScroll: Row = {
  name: 'library-scroll',
  reference: 'the same list, scrolled in the same way, filtered by a query',
  limit:
    "Drawing one window of rows in the page. The host runs none of the list's queries on its own thread: a " +
    'separate thread does.',
  aim: null,
  must: null,
  residentMustMiB: null,
  longestMustMs: 50,
  measure: standstills,
};

async function standstills(settings: RowSettings): Promise<Measured> {
  await stockedLibrary(settings);
  const desk = await openWebDesk(settings.folder, { isStocked: true });
  try {
    await openLibrary(desk.page);
    const [scrolled, walked, searched] = [
      await whileScrolling(desk),
      await whileWalking(desk),
      await whileTyping(desk),
    ];
    const few = await whileScrolling(desk);
    const [begun, tagged] = [await whileAJobBegins(desk), await whileItRuns(desk)];
    const longest = [
      { what: 'page, scrolled', ...scrolled.page },
      { what: 'page, keyboard', ...walked.page },
      { what: 'page, searched', ...searched.page },
      { what: 'host', ...scrolled.host },
      { what: 'host, searched', ...searched.host },
      { what: 'page, tagging starts', ...begun.page },
      { what: 'host, tagging starts', ...begun.host },
      { what: 'page, during tagging', ...tagged.page },
      { what: 'host, during tagging', ...tagged.host },
    ];
    return { ratio: scrolled.page.ms / Math.max(few.page.ms, shortestTold), residentMiB: null, longest };
  } finally {
    await desk.close();
  }
}

/** Below this, in milliseconds, it is the timers' own unevenness that is told. */
const shortestTold = 1;
const manyPixels = 200_000;

const grid = (page: Page) => page.getByRole('main').getByRole('grid');

async function openLibrary(page: Page): Promise<void> {
  await rooms(page)
    .getByRole('button', { name: /^Library/ })
    .click();
  await grid(page).getByRole('row').nth(5).waitFor();
}

const whileScrolling = (desk: WebDesk): Promise<Standstills> =>
  standstillsOf(desk, async () => {
    await wheelDownAndUp(desk.page, grid(desk.page));
    await wheel(desk.page, grid(desk.page), manyPixels);
    await wheel(desk.page, grid(desk.page), -manyPixels);
  });

const whileWalking = (desk: WebDesk): Promise<Standstills> =>
  standstillsOf(desk, () => walkByKeys(desk.page, grid(desk.page)));

const whileTyping = (desk: WebDesk): Promise<Standstills> =>
  standstillsOf(desk, async () => {
    const field = desk.page.getByRole('main').getByRole('combobox').first();
    await field.focus();
    await desk.page.keyboard.type('-tag:packed size:>1MB ', { delay: 60 });
    await expect(desk.page.getByRole('main').getByRole('heading', { level: 1 }).locator('..')).toContainText(' of ');
    await desk.page.keyboard.press('Escape');
  });

const samplesTagged = 3_000;

const whileAJobBegins = (desk: WebDesk): Promise<Standstills> =>
  standstillsOf(desk, async () => {
    await desk.call('library.change', {
      selection: { kind: 'query', terms: [], except: [] },
      change: { add: ['case:bench'], remove: [] },
    });
  });

/** Until so many are done: all would take many minutes. */
const whileItRuns = (desk: WebDesk): Promise<Standstills> =>
  standstillsOf(desk, async () => {
    for (;;) {
      const { jobs } = await desk.call('jobs.list', {});
      const job = jobs.find(({ task }) => task.kind === 'library-change');
      if (job?.state !== 'running')
        throw new Error(`the job that tags is ${job?.state}: ${JSON.stringify(job?.failure)}`);
      if (job.counts.done >= samplesTagged) return void (await desk.call('jobs.cancel', { id: job.id }));
      await wheelDownAndUp(desk.page, grid(desk.page));
    }
  });
