import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { ItemState, Job } from '../../../shared/domain/job.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { FailureError, type FailureKind } from '../../../shared/failure.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { type RepositoryScript, type ScriptedRepository, startRepository } from './scripted-repository.fixture.ts';
import { createTestUploads, ended, team, type TestUploads, type TestUploadsOptions } from './uploads.fixture.ts';

/** The upload services and the repository they send to, for one test. */
export interface Bench {
  setup: TestUploads;
  repository: ScriptedRepository;
}

export async function newBench(
  script: RepositoryScript = {},
  options: Partial<TestUploadsOptions> = {},
): Promise<Bench> {
  const folder = temporaryFolder();
  const repository = await startRepository(script);
  onTestFinished(() => repository.stop());
  return { repository, setup: await opened({ folder, baseUrl: repository.baseUrl, ...options }) };
}

/** Upload services without a defect when their test ends. */
export async function opened(options: TestUploadsOptions): Promise<TestUploads> {
  const setup = await createTestUploads(options);
  onTestFinished(async () => {
    await setup.close();
    expect(setup.defects).toEqual([]);
  });
  return setup;
}

/** Ends the services and opens them again over the same folder. */
export async function reopened(setup: TestUploads, changes: Partial<TestUploadsOptions> = {}): Promise<TestUploads> {
  await setup.close();
  return opened({ ...setup.options, ...changes });
}

/** Adds files that lie in a folder of the person's: they are not copied, which takes longer. */
export async function addInPlace(setup: TestUploads, these: readonly string[]): Promise<number[]> {
  const base = join(setup.options.folder, 'theirs');
  await mkdir(base, { recursive: true });
  const staged = await Promise.all(
    Object.entries(filesNamed(...these)).map(async ([name, text]) => {
      await writeFile(join(base, name), text);
      return { id: (await setup.staging.stagePath(join(base, name))).id, path: '' };
    }),
  );
  return setup.uploads.add(team, staged);
}

/** file-0.bin and so on. */
export const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `file-${index}.bin`);

/** An expectation that fails every few milliseconds takes the processor from what is waited for. */
const unfinished = new Error('files of the draft are not known yet');

/** The draft when everything about it is known that the program finds out by itself. */
export async function quietDraft(setup: TestUploads): Promise<UploadFile[]> {
  await vi.waitFor(
    () => {
      const { busy, unasked } = setup.uploads.draft(team);
      if (busy + unasked > 0) throw unfinished;
      // Of files that are not ticked the draft does not say it.
      expect(setup.files().filter(({ state, archive }) => state === 'hashing' || archive?.state === 'opening')).toEqual(
        [],
      );
      expect(setup.stores.uploads.toLook(1)).toEqual([]);
    },
    { timeout: 50_000, interval: 15 },
  );
  return setup.files();
}

/** Adds files, waits until they are known, sends them, and waits for the end. */
export async function sent(setup: TestUploads, files: Record<string, Uint8Array | string> = {}): Promise<Job> {
  if (Object.keys(files).length > 0) await setup.add(files);
  await quietDraft(setup);
  const { id } = await setup.uploads.send(team);
  return ended(setup, id);
}

/** Name → outcome. */
export async function outcomesOf(setup: TestUploads, id: number): Promise<Record<string, ItemState>> {
  return Object.fromEntries((await setup.itemsOf(id)).map(({ name, state }) => [name ?? '', state]));
}

/** Name → why. */
export async function failuresOf(setup: TestUploads, id: number): Promise<Record<string, FailureKind | undefined>> {
  return Object.fromEntries((await setup.itemsOf(id)).map(({ name, failure }) => [name ?? '', failure?.kind]));
}

/** So many files, each of its own bytes. */
export function filesNamed(...these: string[]): Record<string, string> {
  return Object.fromEntries(these.map((name) => [name, `the bytes of ${name} `.repeat(20)]));
}

export const stateOf = (files: readonly UploadFile[], name: string): UploadFile['state'] | undefined =>
  files.find((file) => file.name === name)?.state;

/** A real part, some of whose calls do something else. */
export const insteadOf = <T extends object>(real: T, changes: Partial<T>): T =>
  new Proxy(real, {
    get: (_, name) => {
      const value: unknown = Reflect.get(changes, name) ?? Reflect.get(real, name);
      return typeof value === 'function' && !Reflect.has(changes, name)
        ? (...given: unknown[]): unknown => Reflect.apply(value, real, given)
        : value;
    },
  });

/** Never resolves, but ends when it is to. */
export const endless = (_files: unknown, signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new FailureError({ kind: 'cancelled' })), { once: true }),
  );

export async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}
