import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import { openStagedFacts } from '../vault/staged-facts/staged-facts.ts';
import { openStaging } from '../vault/staging.ts';
import { type BenchHost, openHost } from './host.ts';
import { residentMiB } from './resident.ts';

const options = z.object({ data: z.string().min(1), files: z.string().min(1) });
/** As many as the page adds at once. */
const filesACall = 500;
const filesAWindow = 1000;

/**
 * Every file of a folder, as the desktop stages it, not copied. `hashingSeconds` for the hashing alone, the start of
 * the threads included; `draftSeconds` from the first that is added to a draft until all are in the database, hashed
 * and compared with each other. `listing` is the SHA-256 over `md5 sha1 sha256 name` of each in that draft, a line
 * each, sorted.
 */
export async function benchStage(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' }, files: { type: 'string' } } });
  const { data, files: folder } = options.parse(values);
  const names = await readdir(folder);
  const hashingSeconds = await hashingOf(
    join(data, 'alone'),
    names.map((name) => join(folder, name)),
  );
  const host = await openHost(data, null);
  try {
    const files = await Promise.all(names.map((name) => host.stage(join(folder, name))));
    const begun = performance.now();
    for (let at = 0; at < files.length; at += filesACall) {
      await host.ask('uploads.add', {
        workspaceId: labWorkspaceId,
        files: files.slice(at, at + filesACall).map(({ id }) => ({ id, path: '' })),
      });
    }
    await hashed(host, files.length);
    const draftSeconds = (performance.now() - begun) / 1000;
    await host.drafted(labWorkspaceId);
    const resident = residentMiB();
    return { hashingSeconds, draftSeconds, residentMiB: resident, listing: await listingOf(host) };
  } finally {
    await host.close();
  }
}

const archiveOptions = z.object({
  data: z.string().min(1),
  archive: z.string().min(1),
  members: z.coerce.number().int(),
});

/**
 * A ZIP that is added to a draft: `seconds` until all of its members are in the database, hashed and compared with each
 * other. `listing` as above.
 */
export async function benchOpen(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, archive: { type: 'string' }, members: { type: 'string' } },
  });
  const { data, archive, members } = archiveOptions.parse(values);
  const host = await openHost(data, null);
  try {
    const { id } = await host.stage(archive);
    const begun = performance.now();
    await host.ask('uploads.add', { workspaceId: labWorkspaceId, files: [{ id, path: '' }] });
    await opened(host, members);
    const seconds = (performance.now() - begun) / 1000;
    await host.drafted(labWorkspaceId);
    const resident = residentMiB();
    return { seconds, residentMiB: resident, listing: await listingOf(host) };
  } finally {
    await host.close();
  }
}

/** The archive is not sent once it is open. */
async function opened(host: BenchHost, members: number): Promise<void> {
  for (;;) {
    const {
      files: [archive],
    } = await host.ask('uploads.files', { workspaceId: labWorkspaceId, offset: 0, limit: 1 });
    if (
      archive?.archive?.state === 'open' &&
      (await host.ask('uploads.draft', { workspaceId: labWorkspaceId })).toSend.files === members
    )
      return;
    await pause(lookAtArchiveMs);
  }
}

/** By the threads that hash every staged file, and without the database that keeps what they say. */
async function hashingOf(directory: string, paths: readonly string[]): Promise<number> {
  const staging = await openStaging(directory);
  const files = await Promise.all(paths.map((path) => staging.stagePath(path)));
  const facts = openStagedFacts(staging);
  const begun = performance.now();
  let count = 0;
  await facts.hash(files, new AbortController().signal, (results) => {
    count += results.filter((result) => 'hashes' in result).length;
  });
  const seconds = (performance.now() - begun) / 1000;
  await facts.close();
  await staging.close();
  if (count !== paths.length) throw new Error(`${count} of ${paths.length} files were hashed`);
  return seconds;
}

const lookAgainMs = 5;
/** Seldom enough to be no part of what is measured. */
const lookAtArchiveMs = 25;

/**
 * Asked for the last file, which is hashed last or nearly so: the events are a quarter of a second apart, and all of a
 * draft takes long to count.
 */
async function hashed(host: BenchHost, count: number): Promise<void> {
  for (;;) {
    const {
      files: [last],
    } = await host.ask('uploads.files', { workspaceId: labWorkspaceId, offset: count - 1, limit: 1 });
    if (
      last?.state === 'ready' &&
      (await host.ask('uploads.draft', { workspaceId: labWorkspaceId })).toSend.files === count
    )
      return;
    await pause(lookAgainMs);
  }
}

async function listingOf(host: BenchHost): Promise<string> {
  const lines: string[] = [];
  for (let offset = 0, total = 1; offset < total; offset += filesAWindow) {
    const page = await host.ask('uploads.files', { workspaceId: labWorkspaceId, offset, limit: filesAWindow });
    total = page.total;
    for (const { name, state, failure, md5, sha1, sha256, strip, archive, parentId } of page.files) {
      if (archive !== null) continue;
      if (state !== 'ready' || (strip === null && parentId === null))
        throw new Error(
          `${name} is ${state}, ${strip === null ? 'not looked at' : 'looked at'}: ${JSON.stringify(failure)}`,
        );
      lines.push(`${String(md5)} ${String(sha1)} ${String(sha256)} ${name}\n`);
    }
  }
  return createHash('sha256').update(lines.toSorted().join('')).digest('hex');
}
