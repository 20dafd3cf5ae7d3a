import type { Page } from '@playwright/test';
import { z } from 'zod';
import { longestOf, type Stretch } from './stretch.ts';

/**
 * The browser's own record of its tasks (chromium, docs/trace_events): a timer in the page would show how late timers
 * are, which wait while rows are painted, and the Long Tasks API reports no task under 50 ms.
 */
const categories = ['disabled-by-default-devtools.timeline', 'blink.user_timing'];
/** Recorded at the end of the work: a record that filled up before lacks it. */
const endMark = 'end of what was watched';
const mainThread = 'CrRendererMain';

const traceEvent = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** Microseconds, by the clock. */
  dur: z.number().optional(),
  /** Microseconds, of the thread's processor time; not on every system. */
  tdur: z.number().optional(),
  args: z.object({ name: z.string().optional() }).optional(),
});
const trace = z.object({ traceEvents: z.array(traceEvent) });
type TraceEvent = z.infer<typeof traceEvent>;

/** The longest task of the page's main thread during `work`. Rejects where none was recorded, or not all. */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<Stretch> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser that could be traced');
  await browser.startTracing(page, { categories });
  await work();
  await page.evaluate((mark) => void performance.mark(mark), endMark);
  const { traceEvents } = trace.parse(JSON.parse((await browser.stopTracing()).toString('utf8')));
  if (!traceEvents.some(({ name }) => name === endMark))
    throw new Error('the browser stopped recording before the end');
  const threads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === mainThread).map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.name === 'RunTask' && event.ph === 'X' && threads.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('the browser recorded no task of the page');
  return longestOf(tasks.map(({ dur = 0, tdur = dur }) => ({ ms: dur / 1000, ownMs: tdur / 1000 })));
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
