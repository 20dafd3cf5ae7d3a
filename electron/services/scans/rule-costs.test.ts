import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { CostMeasurement } from '../../../shared/domain/publication.ts';
import { createTestScans, team, type TestScans } from './scans.fixture.ts';

let setup: TestScans;
beforeAll(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' });
});
afterAll(() => setup.close());
beforeEach(() => setup.requireSound());

const costly = (name: string): string =>
  `rule ${name} { condition: for all i in (0..filesize - 1) : ( for all j in (1..40) : ( uint8(i) + j > 0 ) ) }\n`;
const quick = (name: string, size = 7): string => `rule ${name} { condition: filesize == ${size} }\n`;

const over = (): Promise<CostMeasurement> =>
  vi.waitFor(
    () => {
      const measurement = setup.ruleCosts.state(team);
      if (measurement === null || measurement.state === 'running') throw new Error('it runs');
      return measurement;
    },
    { timeout: 150_000, interval: 20 },
  );

async function storedOf(sha256: string): Promise<Map<string, [ms: number, together: number]>> {
  await setup.bring([...texts].find(([id]) => id === sha256)?.[1] ?? '');
  const prints = await printsOf(sha256);
  const { engine } = await setup.scans.engine();
  const costs = setup.stores.ruleCosts.of(
    prints.map(({ print }) => print),
    engine,
  );
  return new Map(
    prints.flatMap(({ rule, print }) => {
      const cost = costs.get(print);
      return cost === undefined ? [] : [[rule, [cost.msPerMegabyte, cost.together]] as const];
    }),
  );
}

const texts = new Map<string, string>();
const printsOf = (sha256: string): ReturnType<TestScans['fingerprints']> => setup.fingerprints(sha256);
const install = async (text: string): Promise<string> => {
  await setup.install(text);
  const sha256 = setup.stores.packages.pointers(team).active ?? expect.fail('nothing is active');
  texts.set(sha256, text);
  return sha256;
};

test('a rule is measured alone over vault samples, and one that reads all bytes often costs more', async () => {
  const sha256 = await setup.bring(`${quick('quick')}${costly('costly')}private rule p { condition: true }`);
  await expect(setup.ruleCosts.one(team, sha256, 'quick')).rejects.toMatchObject({ failure: { kind: 'vault-empty' } });
  await setup.keep('z'.repeat(60_000), 'tiny');
  const [first, second] = [
    await setup.ruleCosts.one(team, sha256, 'quick'),
    await setup.ruleCosts.one(team, sha256, 'costly'),
  ];
  expect(second.msPerMegabyte).toBeGreaterThan(first.msPerMegabyte);
  expect(second).toMatchObject({ samples: 2, bytes: 60_004, together: 1, measured: expect.stringMatching(/Z$/) });
  expect(await storedOf(sha256)).toEqual(
    new Map([
      ['quick', [first.msPerMegabyte, 1]],
      ['costly', [second.msPerMegabyte, 1]],
    ]),
  );
  await expect(setup.ruleCosts.one(team, sha256, 'gone')).rejects.toMatchObject({ failure: { kind: 'rule-missing' } });
});

/**
 * Each group is measured in an engine of its own: a busy machine needs most of the two minutes that a measurement may
 * take.
 */
test(
  'the slowest rules are found in groups, then measured alone, and a changed rule loses its old cost',
  { timeout: 180_000 },
  async () => {
    const text = [...Array.from({ length: 70 }, (_, index) => quick(`quick_${index}`, index + 100)), costly('slow')]
      .toSorted()
      .join('');
    const sha256 = await install(text);
    const begun = await setup.ruleCosts.start(team);
    expect(begun).toMatchObject({ state: 'running', isAfterHunt: false, rules: 71, ended: null });
    await expect(setup.ruleCosts.start(team)).rejects.toMatchObject({ failure: { kind: 'check-busy' } });
    const { alone, ...done } = await over();
    expect(done).toMatchObject({ state: 'done', done: 71, leftOut: [], failure: null });
    expect(alone).toBeGreaterThanOrEqual(1);
    const stored = await storedOf(sha256);
    expect(stored.size).toBe(71);
    const [[slowest, [, together]] = ['', [0, 0]]] = [...stored].toSorted(([, [a]], [, [b]]) => b - a);
    expect([slowest, together]).toEqual(['slow', 1]);
    const changed = await install(text.replace('(1..40)', '(1..41)'));
    expect((await storedOf(changed)).has('slow')).toBe(false);
  },
);

test('a rule that the engine cannot end is named, and the others are measured', async () => {
  const before = setup.settings;
  setup.settings = { ...before, scanSeconds: 1 };
  const sha256 = await install(
    `${quick('one', 1)}rule endless { condition: for all i in (0..100000000) : ( for all j in (1..100000) : ( ` +
      'i + j > 0 ) ) }\n',
  );
  await setup.ruleCosts.start(team);
  const measurement = await over();
  setup.settings = before;
  expect(measurement).toMatchObject({ state: 'done', done: 1, leftOut: ['endless'] });
  expect([...(await storedOf(sha256)).keys()]).toEqual(['one']);
});

test('a stopped measurement keeps its results', async () => {
  await install(
    Array.from({ length: 30 }, (_, index) => costly(`stopped_${index}`).replace('40', `${50 + index}`)).join(''),
  );
  await setup.ruleCosts.start(team);
  await vi.waitFor(() => expect(setup.ruleCosts.state(team)?.done).toBeGreaterThan(0), {
    timeout: 60_000,
    interval: 10,
  });
  setup.ruleCosts.cancel(team);
  const { state, done } = await over();
  expect(state).toBe('cancelled');
  expect((await storedOf(setup.stores.packages.pointers(team).active ?? '')).size).toBeGreaterThanOrEqual(done);
});

test('rules without a cost are measured after a long hunt, not after a short one, until a scan starts', async () => {
  const sha256 = await install(`${quick('after_one', 201)}${quick('after_two', 202)}`);
  const hunt = { workspaceId: team, sha256, samples: 1000, tookMs: 600_000 };
  const before = setup.ruleCosts.state(team);
  await setup.ruleCosts.afterHunt({ ...hunt, samples: 5 });
  await setup.ruleCosts.afterHunt({ ...hunt, tookMs: 10_000 });
  expect(setup.ruleCosts.state(team)).toBe(before);
  await setup.ruleCosts.one(team, sha256, 'after_one');
  await setup.ruleCosts.afterHunt(hunt);
  expect(setup.ruleCosts.state(team)).toMatchObject({ state: 'done', isAfterHunt: true, rules: 1, done: 1 });
  const measured = setup.ruleCosts.state(team);
  await setup.ruleCosts.afterHunt(hunt);
  expect(setup.ruleCosts.state(team)).toBe(measured);
  await install(
    Array.from({ length: 40 }, (_, index) => costly(`late_${index}`).replace('40', `${100 + index}`)).join(''),
  );
  const late = setup.ruleCosts.afterHunt({ ...hunt, sha256: setup.stores.packages.pointers(team).active ?? '' });
  await vi.waitFor(() => expect(setup.ruleCosts.state(team)?.state).toBe('running'), { timeout: 20_000, interval: 5 });
  await setup.scan({ files: [await setup.stage('one.bin', 'one')] });
  await late;
  expect(setup.ruleCosts.state(team)?.state).toBe('cancelled');
});

test('a scan that starts while rules are read after a hunt stops their measurement', async () => {
  const sha256 = await install(quick('read_late', 301));
  const before = setup.ruleCosts.state(team);
  const late = setup.ruleCosts.afterHunt({ workspaceId: team, sha256, samples: 1000, tookMs: 600_000 });
  setup.ruleCosts.interrupt();
  await late;
  expect(setup.ruleCosts.state(team)).toBe(before);
});

test('a measurement requested while the program closes does not begin', async () => {
  await install(quick('asked_late', 302));
  const before = setup.ruleCosts.state(team);
  const started = setup.ruleCosts.start(team);
  const closed = setup.ruleCosts.close();
  await expect(started).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  await closed;
  expect(setup.ruleCosts.state(team)).toBe(before);
});
