import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import type { WatchedFile } from '../../../shared/domain/watch.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { EventHub, type HostEvent } from '../../event-hub.ts';
import { openStagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import type { ScriptedRepository } from '../uploads/scripted-repository.fixture.ts';
import { newBench, reopened } from '../uploads/upload-bench.fixture.ts';
import { team, type TestUploads } from '../uploads/uploads.fixture.ts';
import { ManualClock } from './manual-clock.fixture.ts';
import type { ReadFile, WatchOptions } from './watch-ports.ts';
import { Watch } from './watch.ts';

/** The longest pause between two walks, and long enough for any file to rest. */
export const aWhile = 15_000;

/** A watch over a real folder, real stores, a real draft and a repository that counts what it is asked. */
export interface TestWatch {
  folder: string;
  upload: TestUploads;
  repository: ScriptedRepository;
  watch: Watch;
  clock: ManualClock;
  events: EventHub;
  /** What was announced. */
  found: EventPayload<'watch.found'>[];
  scanned: ReadFile[][];
  defects: unknown[];
  /** As the system would. */
  news: Map<string, (name: string | null) => void>;
  put(path: string, bytes: string | Uint8Array): Promise<void>;
  /** Walks, and lets everything rest. */
  settle(): Promise<void>;
  /** Lets what was put off be tried again. */
  later(): Promise<void>;
  /** Path → state. */
  states(): Record<string, WatchedFile['state']>;
  file(path: string): WatchedFile;
  reopen(changes?: Partial<WatchOptions>): Promise<TestWatch>;
}

export async function createTestWatch(changes: Partial<WatchOptions> = {}): Promise<TestWatch> {
  const { setup: upload, repository } = await newBench();
  const folder = join(upload.options.folder, 'watched');
  await mkdir(folder);
  return watchOver(upload, repository, folder, changes);
}

function watchOver(
  upload: TestUploads,
  repository: ScriptedRepository,
  folder: string,
  changes: Partial<WatchOptions>,
): TestWatch {
  const [clock, events, facts] = [new ManualClock(), new EventHub(), openStagedFacts(upload.staging)];
  const news: TestWatch['news'] = new Map();
  const [scanned, defects, found]: [ReadFile[][], unknown[], TestWatch['found']] = [[], [], []];
  const watch = new Watch({
    facts,
    events,
    store: upload.stores.watch,
    staging: upload.staging,
    timing: clock,
    dataDirectory: join(upload.options.folder, 'data'),
    chooseFolder: async () => folder,
    hasWorkspace: (id) => id === team,
    draft: (id, files) => upload.uploads.addHeld(id, files),
    placeMoved: (id, contents) => upload.uploads.placeMoved(id, contents),
    placeLost: () => upload.uploads.placeLost(),
    scan: async (_, files) => {
      scanned.push([...files]);
      return null;
    },
    job: (): Job | null => null,
    logDefect: (error) => void defects.push(error),
    watchOne: (path, changed) => {
      news.set(path, changed);
      return { close: () => void news.delete(path) };
    },
    ...changes,
  });
  events.subscribe((event: HostEvent) => event.name === 'watch.found' && found.push(event.payload));
  const states = (): TestWatch['states'] extends () => infer S ? S : never =>
    Object.fromEntries(watch.state().files.map(({ path, state }) => [path, state]));
  watch.start({ resumesUnfinished: true });
  const close = async (): Promise<void> => {
    await watch.close();
    await facts.close();
  };
  onTestFinished(async () => {
    await close();
    expect(defects).toEqual([]);
  });
  return {
    folder,
    upload,
    repository,
    watch,
    clock,
    events,
    found,
    scanned,
    defects,
    news,
    states,
    put: async (path, bytes) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    },
    settle: async () => {
      await clock.pass(aWhile);
      await clock.pass(aWhile);
    },
    later: async () => {
      for (let minutes = 0; minutes < 5; minutes += 1) await clock.pass(60_000);
    },
    file: (path) => watch.state().files.find((one) => one.path === path) ?? expect.fail(`${path} is not listed`),
    reopen: async (others = changes) => {
      await close();
      return watchOver(await reopened(upload), repository, folder, others);
    },
  };
}

/** Turned on over the folder as it is now. */
export async function watching(
  changes: Partial<WatchOptions> = {},
  there: Record<string, string> = {},
): Promise<TestWatch> {
  const setup = await createTestWatch(changes);
  for (const [path, bytes] of Object.entries(there)) await setup.put(path, bytes);
  await setup.watch.chooseFolder(null);
  await setup.watch.turn(true, team);
  await setup.clock.asleep();
  return setup;
}

/** The folder goes, as a stick that is pulled out does, with the times of its files. @returns what brings it back */
export async function takeAway(setup: TestWatch): Promise<() => Promise<void>> {
  const away = `${setup.folder}-away`;
  await rename(setup.folder, away);
  return () => rename(away, setup.folder);
}

/** The scan of what came. */
export const scanOf = (id: number, state: Job['state']): Job => ({
  id,
  task: { kind: 'scan', engines: 'local', local: 'wasm', package: null, name: null, isWatched: true },
  workspaceId: team,
  state,
  created: '',
  started: null,
  ended: null,
  resumesAt: null,
  counts: {
    mismatch: 0,
    forbidden: 0,
    failed: 0,
    refused: 0,
    vanished: 0,
    unknown: 0,
    'needs-md5': 0,
    cancelled: 0,
    waiting: 0,
    done: 1,
    'already-here': 0,
  },
  items: 1,
  bytes: 0,
  expectedBytes: null,
  bytesPerSecond: 0,
  secondsLeft: null,
  throughput: { secondsEach: 1, values: [] },
  active: [],
  failure: null,
  notices: [],
  noticeCount: 0,
});

/** Another time of change, and the same bytes. */
export const touch = (setup: TestWatch, path: string): Promise<void> =>
  utimes(join(setup.folder, path), 1_900_000_000, 1_900_000_000);
