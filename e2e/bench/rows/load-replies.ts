import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ThreadWindow } from '../../../shared/domain/comment.ts';
import { isFinalJob } from '../../../shared/domain/job.ts';
import { startHostileRepository } from '../../faults/hostile-replies.ts';
import { LookupPage } from '../../pages/lookup-page.ts';
import { type HostCalls, openHostSession, type HostSession, workWithRepository, valueOf } from '../host-calls.ts';
import type { Measured, Row, RowSettings, Standstill } from '../row.ts';
import { wheelDownAndUp } from '../scroll.ts';
import { standstillsOf } from '../standstills.ts';
import { startWatchedHost, type WatchedHost } from '../watched-host.ts';
import { openWebHostPage } from '../web-host-page.ts';

const withoutReference = {
  reference: 'none: the longest time without a response',
  aim: null,
  must: null,
  residentMustMiB: null,
};

/** Replies as large as a repository may make them, while the host answers others. */
export const loadReplies: Row = {
  ...withoutReference,
  name: 'load-replies',
  limit:
    'Taking what was read of a reply from its thread in one message, and writing a record in one row. What is ' +
    'kept of a record bounds both.',
  longestMustMs: 50,
  measure: whileTheyAreRead,
};

/** A sample whose every text is hard to draw, looked up and scrolled through in a page. */
export const hostileRecord: Row = {
  ...withoutReference,
  name: 'hostile-record',
  limit: 'Drawing the texts in sight, which are laid out in pieces of a thousand characters.',
  longestMustMs: 500,
  measure: whileItIsShown,
};

async function whileTheyAreRead({ folder }: RowSettings): Promise<Measured> {
  const [repository, host] = [await startHostileRepository(), await startWatchedHost(folder)];
  try {
    const { ask, stage } = await openHostSession(await host.newLink());
    const call: HostCalls = async (name, input) => valueOf(name, await ask(name, input));
    const replies = new Replies(call, stage, await workWithRepository(call, repository.baseUrl), repository.discussed);
    return {
      ratio: null,
      residentMiB: null,
      longest: [
        await during(host, 'host, 100,000 comments', () => replies.lookUp()),
        await during(host, 'host, its thread', () => replies.readThread()),
        await during(host, 'host, older comments', () => replies.readOlder()),
        await during(host, 'host, archive of 300,000 members', () => replies.download()),
        await during(host, 'host, reply to an upload', () => replies.upload(join(folder, 'sent.bin'))),
      ],
    };
  } finally {
    await host.stop();
    repository.close();
  }
}

async function during(host: WatchedHost, what: string, work: () => Promise<unknown>): Promise<Standstill> {
  // Until now it had to do with what was before.
  await host.standstill();
  await work();
  return { what, ...(await host.standstill()) };
}

const firstComments = 50;
const [pollMs, mostPolls] = [100, 1200];
/** Two that no sample has, so that the archive is requested as one. */
const unknownHashes = ['a'.repeat(32), 'b'.repeat(32)];

class Replies {
  readonly #call: HostCalls;
  readonly #stage: HostSession['stage'];
  readonly #workspaceId: string;
  readonly #md5: string;

  constructor(call: HostCalls, stage: HostSession['stage'], workspaceId: string, md5: string) {
    [this.#call, this.#stage, this.#workspaceId, this.#md5] = [call, stage, workspaceId, md5];
  }

  async lookUp(): Promise<void> {
    const request = { workspaceId: this.#workspaceId, hash: this.#md5, firstComments };
    await this.#call('samples.lookup', request);
  }

  async readThread(): Promise<void> {
    const moment = 'bench';
    for (let offset = 0; ;) {
      const window: ThreadWindow = { moment, offset, limit: 500 };
      const { next } = await this.#call('comments.thread', { workspaceId: this.#workspaceId, md5: this.#md5, window });
      if (next === undefined) return;
      offset = next;
    }
  }

  async readOlder(): Promise<void> {
    const request = { workspaceId: this.#workspaceId, md5: this.#md5, before: 90_000 };
    await this.#call('comments.older', request);
  }

  async download(): Promise<void> {
    const { id } = await this.#call('bulk.create', { workspaceId: this.#workspaceId });
    await this.#call('bulk.add', { id, hashes: unknownHashes });
    await this.#call('bulk.start', { id });
    await this.#over(id);
  }

  async upload(path: string): Promise<void> {
    await writeFile(path, 'sent');
    const { id } = await this.#stage('sent.bin', Buffer.from('sent'));
    const workspaceId = this.#workspaceId;
    await this.#call('uploads.add', { workspaceId, files: [{ id, path: '' }] });
    await until(async () => (await this.#call('uploads.draft', { workspaceId })).busy === 0);
    await this.#over((await this.#call('uploads.send', { workspaceId })).id);
  }

  /** However it ends. */
  #over(id: number): Promise<void> {
    return until(async () => {
      const { jobs } = await this.#call('jobs.list', {});
      return jobs.some((job) => job.id === id && (isFinalJob(job) || job.state === 'paused'));
    });
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let poll = 0; poll < mostPolls; poll += 1) {
    if (await isSo()) return;
    await sleep(pollMs);
  }
  throw new Error('what was waited for did not come');
}

async function whileItIsShown({ folder }: RowSettings): Promise<Measured> {
  const [repository, vitrine] = [await startHostileRepository(), await openWebHostPage(folder)];
  try {
    const { page, call } = vitrine;
    await workWithRepository(call, repository.baseUrl);
    const lookup = new LookupPage(page);
    await page.reload();
    const shown = await standstillsOf(vitrine, async () => {
      await lookup.open();
      await lookup.ask(repository.hostile);
      await lookup.sample(repository.hostileName).waitFor();
      await page.getByRole('region', { name: /^Comments \d/ }).waitFor();
    });
    const scrolled = await standstillsOf(vitrine, () => wheelDownAndUp(page, lookup.thread));
    const opened = await standstillsOf(vitrine, async () => {
      await page.getByRole('treeitem', { name: /^extra/ }).click();
      await page.getByRole('treeitem', { name: /^field 199/ }).waitFor();
    });
    const longest = [
      { what: 'page, shown', ...shown.page },
      { what: 'page, thread scrolled', ...scrolled.page },
      { what: 'page, fields opened', ...opened.page },
    ];
    return { ratio: null, residentMiB: null, longest };
  } finally {
    await vitrine.close();
    repository.close();
  }
}
