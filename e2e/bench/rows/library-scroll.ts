import { expect, type Page } from '@playwright/test';
import type { Measured, Row, RowSettings } from '../row.ts';
import { walkByKeys, wheel, wheelDownAndUp } from '../scroll.ts';
import { viewsNavigation, type Standstills, standstillsOf } from '../standstills.ts';
import { openWebHostPage, type WebHostPage } from '../web-host-page.ts';
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
  const vitrine = await openWebHostPage(settings.folder, { isStocked: true });
  try {
    await openLibrary(vitrine.page);
    const [scrolled, walked, searched] = [
      await whileScrolling(vitrine),
      await whileWalking(vitrine),
      await whileTyping(vitrine),
    ];
    const few = await whileScrolling(vitrine);
    const [begun, tagged] = [await whileAJobBegins(vitrine), await whileItRuns(vitrine)];
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
    return { ratio: scrolled.page.ms / Math.max(few.page.ms, shortestReported), residentMiB: null, longest };
  } finally {
    await vitrine.close();
  }
}

/** Below this, in milliseconds, the value shows only the timers' own unevenness. */
const shortestReported = 1;
const manyPixels = 200_000;

const grid = (page: Page) => page.getByRole('main').getByRole('grid');

async function openLibrary(page: Page): Promise<void> {
  await viewsNavigation(page)
    .getByRole('button', { name: /^Library/ })
    .click();
  await grid(page).getByRole('row').nth(5).waitFor();
}

const whileScrolling = (vitrine: WebHostPage): Promise<Standstills> =>
  standstillsOf(vitrine, async () => {
    await wheelDownAndUp(vitrine.page, grid(vitrine.page));
    await wheel(vitrine.page, grid(vitrine.page), manyPixels);
    await wheel(vitrine.page, grid(vitrine.page), -manyPixels);
  });

const whileWalking = (vitrine: WebHostPage): Promise<Standstills> =>
  standstillsOf(vitrine, () => walkByKeys(vitrine.page, grid(vitrine.page)));

const whileTyping = (vitrine: WebHostPage): Promise<Standstills> =>
  standstillsOf(vitrine, async () => {
    const field = vitrine.page.getByRole('main').getByRole('combobox').first();
    await field.focus();
    await vitrine.page.keyboard.type('-tag:packed size:>1MB ', { delay: 60 });
    await expect(vitrine.page.getByRole('main').getByRole('heading', { level: 1 }).locator('..')).toContainText(' of ');
    await vitrine.page.keyboard.press('Escape');
  });

const samplesTagged = 3_000;

const whileAJobBegins = (vitrine: WebHostPage): Promise<Standstills> =>
  standstillsOf(vitrine, async () => {
    await vitrine.call('library.change', {
      selection: { kind: 'query', terms: [], except: [] },
      change: { add: ['case:bench'], remove: [] },
    });
  });

/** Until so many are done: all would take many minutes. */
const whileItRuns = (vitrine: WebHostPage): Promise<Standstills> =>
  standstillsOf(vitrine, async () => {
    for (;;) {
      const { jobs } = await vitrine.call('jobs.list', {});
      const job = jobs.find(({ task }) => task.kind === 'library-change');
      if (job?.state !== 'running')
        throw new Error(`the job that tags is ${job?.state}: ${JSON.stringify(job?.failure)}`);
      if (job.counts.done >= samplesTagged) return void (await vitrine.call('jobs.cancel', { id: job.id }));
      await wheelDownAndUp(vitrine.page, grid(vitrine.page));
    }
  });
