import { defaultTimeouts } from '../../../shared/domain/workspace.ts';
import { LookupPage } from '../../pages/lookup-page.ts';
import { run } from '../child.ts';
import { type DiscussedSample, startDiscussedSample } from '../discussed-sample.ts';
import { heldFlat } from '../heap.ts';
import type { HostCalls } from '../host-calls.ts';
import { median, type Held, type Measured, type Row, type RowSettings, type Standstill } from '../row.ts';
import { wheelDownAndUp } from '../scroll.ts';
import { Stages } from '../stages.ts';
import { standstillsOf } from '../standstills.ts';
import { openWebHostPage, type WebHostPage } from '../web-host-page.ts';

/**
 * A sample of which ten thousand comments were made: looked up and its thread read again and again, shown and scrolled
 * in a page, and answered.
 */
export const loadThread10k: Row = {
  name: 'load-thread-10k',
  reference: 'curl of the same getfile',
  limit:
    'Processing ten thousand comments: parsing JSON, two contract checks, reading from the database, and loading ' +
    'into the page.',
  aim: null,
  must: 60,
  residentMustMiB: 600,
  longestMustMs: 50,
  measure: compare,
};

const comments = 10_000;
/** A thread as most are, with which the long one is compared. */
const fewComments = 20;
const looksAStage = 10;

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  const [discussed, hardlyDiscussed] = [await startDiscussedSample(comments), await startDiscussedSample(fewComments)];
  const vitrine = await openWebHostPage(folder);
  try {
    await addWorkspace(vitrine.call, hardlyDiscussed);
    const few = await whileShown(vitrine, hardlyDiscussed, fewComments);
    const workspaceId = await addWorkspace(vitrine.call, discussed);
    const first = await standstillsOf(vitrine, () => look(vitrine.call, workspaceId, discussed));
    const shown = await whileShown(vitrine, discussed, comments);
    const answered = await standstillsOf(vitrine, () => answer(vitrine.call, workspaceId, discussed));
    const { ratios, residentMiB, held } = await again(vitrine, workspaceId, { discussed, stages: quick ? 2 : 6 });
    const longest: Standstill[] = [
      { what: 'host, looked up', ...first.host },
      { what: 'page, shown and scrolled', ...shown.page },
      { what: `page, ${fewComments} comments in the same way`, ...few.page },
      { what: 'host, shown and scrolled', ...shown.host },
      { what: 'host, replying', ...answered.host },
    ];
    return { ratio: median(ratios), residentMiB, longest, held };
  } finally {
    await vitrine.close();
    discussed.close();
    hardlyDiscussed.close();
  }
}

async function addWorkspace(call: HostCalls, { baseUrl }: DiscussedSample): Promise<string> {
  const repository = { baseUrl, token: { kind: 'set' as const, token: 'bench' } };
  const { id } = await call('workspaces.add', {
    name: 'Team',
    repository,
    ruleEditor: null,
    allowHttp: false,
    trust: { kind: 'system' },
    timeouts: defaultTimeouts,
  });
  await call('workspaces.switch', { id });
  return id;
}

/** As the command line does: all in one answer, which is the most at once. */
async function look(call: HostCalls, workspaceId: string, { md5 }: DiscussedSample): Promise<void> {
  await call('samples.lookup', { workspaceId, hash: md5 });
  const thread = await call('comments.thread', { workspaceId, md5 });
  if (thread.comments.length < comments) throw new Error(`the thread has ${thread.comments.length} comments`);
}

/** Until the page has read all of it, and then from end to end. */
const whileShown = (vitrine: WebHostPage, { md5, name }: DiscussedSample, count: number) =>
  standstillsOf(vitrine, async () => {
    const lookup = new LookupPage(vitrine.page);
    await vitrine.page.reload();
    await lookup.open();
    await lookup.ask(md5);
    await lookup.sample(name).waitFor();
    await vitrine.page.getByRole('region', { name: `Comments ${count.toLocaleString('en')}`, exact: true }).waitFor();
    await wheelDownAndUp(vitrine.page, lookup.thread);
  });

async function answer(call: HostCalls, workspaceId: string, { md5 }: DiscussedSample): Promise<void> {
  await call('comments.send', { workspaceId, md5, draft: { text: 'It is another one.', parentId: null } });
}

interface Again {
  ratios: number[];
  residentMiB: number | null;
  held: Held[];
}

/** A look before it is counted: what is kept for a thread is there then. */
async function again(
  { call, host }: WebHostPage,
  workspaceId: string,
  { discussed, stages: most }: { discussed: DiscussedSample; stages: number },
): Promise<Again> {
  const stages = await Stages.begin(host);
  const ratios: number[] = [];
  const stage = async (): Promise<void> => {
    for (let time = 0; time < looksAStage; time += 1)
      ratios.push((await seconds(() => look(call, workspaceId, discussed))) / (await seconds(() => curl(discussed))));
  };
  await stage();
  const first = await stages.heap();
  for (let count = 0; count < most; count += 1) await stage();
  const last = await stages.heap();
  const { residentMiB } = await stages.over();
  return { ratios, residentMiB, held: heldFlat('heap', { first, last, between: most * looksAStage }) };
}

const curl = ({ baseUrl, md5 }: DiscussedSample): Promise<string> =>
  run('curl', ['-sfo', '/dev/null', `${baseUrl}/api.php?action=getfile&hash=${md5}&token=bench`]);

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}
