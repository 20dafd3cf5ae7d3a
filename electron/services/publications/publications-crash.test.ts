import { spawn } from 'node:child_process';
import { hash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import type { PublicationsState } from '../../../shared/domain/publication.ts';
import { filesUnder } from '../../vault/eicar.fixture.ts';
import { type DyingPoint, dyingPoints } from './dying-points.fixture.ts';
import {
  createTestPublications,
  listing,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
  zipOf,
} from './publications.fixture.ts';

const program = join(import.meta.dirname, 'killed-update.fixture.ts');
/** What no archive makes smaller: several pieces on the wire. */
const long = `// ${randomBytes(200_000).toString('base64')}\n`;

/** The last first. */
const atEnd: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of atEnd.toReversed()) await end();
});

interface Walk {
  folder: string;
  editor: RuleEditor;
  /** The one rule of each package that was published, by SHA-256, in order. */
  published: Map<string, string>;
}

/** A rule editor that has a new version at each request, and a folder for the data. */
async function newWalk(): Promise<Walk> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
  const editor = await startRuleEditor();
  atEnd.push(async () => {
    editor.end();
    await rm(folder, { recursive: true, force: true });
  });
  const published = new Map<string, string>();
  editor.onCheck = (response, request) =>
    void (async () => {
      const [version, name] = [`1.${published.size}`, `in_${published.size}`];
      const bytes = await zipOf({ 'a.yar': rule(name) + long }, version);
      published.set(hash('sha256', bytes), name);
      const again = editor.onCheck;
      editor.publish(version, bytes);
      editor.onCheck(response, request);
      editor.onCheck = again;
    })();
  return { folder, editor, published };
}

/**
 * Runs the program until it dies at that point, or at the n-th change on the disk after its beginning. @returns what it
 * made active, in order
 */
async function killed(
  { folder, editor }: Walk,
  point: (typeof dyingPoints)[number] | 'none',
  changes = Infinity,
): Promise<string[]> {
  const child = spawn(execPath, ['--disable-warning=ExperimentalWarning', program, folder, editor.baseUrl, point], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const stop = new AbortController();
  atEnd.push(async () => void child.kill('SIGKILL'));
  const reported: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'started') reported.push(line);
    else if (point === 'none') void changed(folder, changes, stop.signal).then(() => child.kill('SIGKILL'));
  }
  stop.abort();
  expect(await gone).toEqual([null, 'SIGKILL']);
  return reported;
}

async function changed(folder: string, times: number, signal: AbortSignal): Promise<void> {
  let seen = 0;
  for await (const _ of watch(join(folder, 'data'), { recursive: true, signal })) {
    seen += 1;
    if (seen >= times) return;
  }
}

async function reopened({ folder, editor }: Walk): Promise<TestPublications> {
  const setup = await createTestPublications(editor, { folder });
  atEnd.push(() => setup.close());
  return setup;
}

/** Each package that is known lies there whole, nothing else does, and the rules in use are those of the active one. */
async function expectWhole(setup: TestPublications, { folder, published }: Walk): Promise<PublicationsState> {
  const state = setup.state();
  const known = state.packages.map(({ sha256 }) => sha256);
  expect(
    (await filesUnder(join(folder, 'data', 'packages'))).map((path) => path.split('/').slice(-2).join('/')),
  ).toEqual(known.map((sha256) => `${setup.team}/${sha256}`).toSorted());
  for (const sha256 of known) await setup.packages.check(setup.team, sha256);
  expect(known).toEqual(expect.arrayContaining([state.active, state.candidate].filter((one) => one !== null)));
  expect(state.packages.every(({ contents, failure }) => contents?.rules === 1 && failure === null)).toBe(true);
  const rules = await setup.reading.list(listing(setup.team, '', { offset: 0, limit: 10 }));
  expect(rules).toMatchObject({ sha256: state.active, rows: [{ name: published.get(state.active ?? '') }], total: 1 });
  expect(setup.stores.journal.verify()).toMatchObject({ broken: null });
  return state;
}

async function expectNextUpdate(setup: TestPublications, walk: Walk): Promise<void> {
  const { candidate } = await setup.check();
  expect(candidate).toBe(newest(walk));
  await setup.publications.activate(setup.team, candidate ?? '', true);
  expect(await expectWhole(setup, walk)).toMatchObject({ active: candidate, candidate: null });
}

const newest = ({ published }: Walk): string | undefined => [...published.keys()].at(-1);

/**
 * A program dies at each of these points. Each takes up what the one before left: that it comes to its own point shows
 * that updates continue.
 */
async function expectWholeAfter(points: readonly DyingPoint[]): Promise<void> {
  const walk = await newWalk();
  let active: string | null = null;
  for (const point of points) {
    const reported = await killed(walk, point);
    const setup = await reopened(walk);
    const after = {
      fetching: { active: reported.at(-1) ?? active, candidate: null },
      received: { active, candidate: null },
      recorded: { active, candidate: newest(walk) },
      journalled: { active: reported.at(-1) ?? active, candidate: newest(walk) },
      activated: { active: newest(walk), candidate: null },
    };
    const state = await expectWhole(setup, walk);
    expect({ point, active: state.active, candidate: state.candidate }).toEqual({ point, ...after[point] });
    active = state.active;
    if (point === 'activated') await expectNextUpdate(setup, walk);
    await setup.close();
  }
}

test.concurrent('a program killed inside the transaction of an update starts with the whole previous package', () =>
  expectWholeAfter(['journalled']),
);
test.concurrent(
  'a program killed at each step of an update starts with a whole package, the old or the new',
  { tags: ['long'] },
  () => expectWholeAfter(dyingPoints),
);

test.concurrent(
  'a program killed at any moment starts with a whole package, the active one or the arriving one',
  { tags: ['long'] },
  async () => {
    const walk = await newWalk();
    let before: string[] = [];
    for (const changes of Array.from({ length: 3 }, () => randomInt(1, 100))) {
      const reported = [...before, ...(await killed(walk, 'none', changes))];
      const setup = await reopened(walk);
      const { active } = await expectWhole(setup, walk);
      expect([...reported.slice(-2), newest(walk)], `killed at change ${changes}`).toContain(active);
      // It may die before it reports what it made active last.
      before = active === null ? [] : [active];
      await setup.close();
    }
  },
);
