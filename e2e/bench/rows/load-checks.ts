import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defaultRuleOptions } from '../../../shared/domain/publication.ts';
import { defaultTimeouts } from '../../../shared/domain/workspace.ts';
import { run } from '../child.ts';
import { type Heap, heldFlat } from '../heap.ts';
import { type HostCalls, openHostCalls } from '../host-calls.ts';
import type { Inspector } from '../inspector.ts';
import { type Held, median, type Measured, type Row, type RowSettings } from '../row.ts';
import { type RulePublisher, startRulePublisher } from '../rule-publisher.ts';
import { Stages } from '../stages.ts';
import type { Stretch } from '../stretch.ts';
import { startWatchedHost, type WatchedHost } from '../watched-host.ts';

/**
 * A day of an unattended Vitrine: every workspace checks for rules every hour, and eight times a release is found,
 * opened, compiled and installed in each. The clock jumps; all else takes its time.
 */
export const loadChecks24h: Row = {
  name: 'load-checks-24h',
  reference: 'curl of the same checkpackageversion, one after the other',
  limit:
    'The host’s own work for a check: the active package is read and verified, the response is stored and ' +
    'reported. A new release waits for the engine.',
  aim: 1,
  must: 3,
  residentMustMiB: 600,
  longestMustMs: 50,
  measure: compare,
};

const hours = 24;
const releaseEveryHours = 3;
const paceMust = 2;
const rulesARelease = 100;

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  const publisher = await startRulePublisher();
  const host = await startWatchedHost(folder, ['./quick-clock.ts']);
  try {
    const call = await openHostCalls(await host.newLink());
    const vitrine: CheckingHost = { host, call, publisher, ids: await watching(call, publisher, quick ? 20 : 40) };
    const { ratios, standstill, residentMiB, held } = await throughTheDay(vitrine);
    return { ratio: median(ratios), residentMiB, longest: [{ what: 'host', ...standstill }], held };
  } finally {
    await host.stop();
    publisher.close();
  }
}

interface CheckingHost {
  host: WatchedHost;
  call: HostCalls;
  publisher: RulePublisher;
  /** Its workspaces. */
  ids: readonly string[];
}

async function watching(call: HostCalls, { baseUrl }: RulePublisher, workspaces: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= workspaces; number += 1) {
    const { id } = await call('workspaces.add', {
      name: `team ${number}`,
      repository: null,
      ruleEditor: { baseUrl, token: { kind: 'set', token: 'bench' } },
      allowHttp: false,
      trust: { kind: 'system' },
      timeouts: defaultTimeouts,
    });
    await call('publications.setOptions', {
      workspaceId: id,
      options: { ...defaultRuleOptions, checkHours: 1, policy: 'install-whole', keep: 1 },
      password: { kind: 'keep' },
    });
    ids.push(id);
  }
  return ids;
}

interface Day {
  /** Of each hour, to what the reference took beside it. */
  ratios: number[];
  standstill: Stretch;
  residentMiB: number | null;
  held: Held[];
}

async function throughTheDay(vitrine: CheckingHost): Promise<Day> {
  const stages = await Stages.begin(vitrine.host);
  const ratios: number[] = [];
  const heaps: Heap[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    if (hour % releaseEveryHours === 0) await vitrine.publisher.publish(hour / releaseEveryHours + 1, rulesARelease);
    ratios.push((await throughAnHour(vitrine)) / (await curlSeconds(vitrine.publisher)));
    if (hour + 1 === hours / 3 || hour + 1 === hours) heaps.push(await stages.heap());
  }
  await requireUpToDate(vitrine);
  const [first, last] = heaps;
  if (first === undefined || last === undefined) throw new RangeError('the day has no third');
  const pace = {
    what: 'last third to first, ratio',
    value: median(ratios.slice(-hours / 3)) / median(ratios.slice(0, hours / 3)),
    must: paceMust,
  };
  const { standstill, residentMiB } = await stages.over();
  return {
    ratios,
    standstill,
    residentMiB,
    held: [...heldFlat('heap', { first, last, between: (vitrine.ids.length * hours * 2) / 3 }), pace],
  };
}

/**
 * Until every workspace has checked once more.
 *
 * @returns seconds a check, without the time to inspect an idle program
 */
async function throughAnHour({ host, call, publisher, ids }: CheckingHost): Promise<number> {
  const checkedBefore = publisher.checks;
  const inspector = await host.inspected();
  let ms = 0;
  while (publisher.checks - checkedBefore < ids.length) {
    const begun = performance.now();
    await leap(inspector);
    await rested(call, ids);
    const over = performance.now();
    await rested(call, ids);
    ms += over - begun - (performance.now() - over);
  }
  return ms / 1000 / (publisher.checks - checkedBefore);
}

const leapt = z.object({ result: z.object({ value: z.number() }) });

async function leap(inspector: Inspector): Promise<void> {
  leapt.parse(await inspector.send('Runtime.evaluate', { expression: 'leapToNextTimer()', returnByValue: true }));
}

const lookEveryMs = 2;

async function rested(call: HostCalls, ids: readonly string[]): Promise<void> {
  for (const workspaceId of ids) {
    while ((await call('publications.state', { workspaceId })).check !== null) await pause(lookEveryMs);
  }
}

async function requireUpToDate({ call, ids }: CheckingHost): Promise<void> {
  for (const workspaceId of ids) {
    const { active, packages, lastCheck } = await call('publications.state', { workspaceId });
    const version = packages.find(({ sha256 }) => sha256 === active)?.version;
    if (version !== `${hours / releaseEveryHours}.0` || lastCheck?.outcome !== 'up-to-date')
      throw new Error(`${workspaceId} has ${version}: ${JSON.stringify(lastCheck)}`);
  }
}

const referenceChecks = 10;

/** Seconds of one check, in one process of a shell that repeats it. */
async function curlSeconds({ baseUrl }: RulePublisher): Promise<number> {
  const address = `${baseUrl}/api.php?action=checkpackageversion&version=1.0&token=bench`;
  const begun = performance.now();
  await run('sh', ['-euc', `for each in $(seq ${referenceChecks}); do curl -sfo /dev/null "$0"; done`, address]);
  return (performance.now() - begun) / 1000 / referenceChecks;
}
