import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CommentThread } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import { type BrokenServer, startBrokenServer } from '../../faults/broken-server.ts';
import { type Vitrine, reportedInJournal, until } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';
import { addTeam, unlock } from '../team-workspace.ts';

/** Written in three steps each, and read in as many windows. */
const many = 1300;
/** So many of the older list are missing in the newer one; of the rest every third has another text there. */
const gone = 100;

const said = (from: number, words: (at: number) => string): Comment[] =>
  Array.from({ length: many }, (_, at) => ({
    id: String(from + at),
    parentId: null,
    author: 'analyst',
    content: words(from + at),
    created: '2026-11-17 08:00:00',
  }));
const older = said(1, (at) => `remark ${at}`);
const newer = said(1 + gone, (at) => (at % 3 === 0 ? `remark ${at}, put right` : `remark ${at}`));

interface Discussed {
  repository: BrokenServer;
  workspaceId: string;
}

/**
 * A sample is looked up again, of which very much was said, and more is by now: its record is stored first, and the
 * thread in steps behind it.
 */
export const longThread: DurableChange = {
  name: 'long thread',
  prepare: async (vitrine) => {
    const comments = [...older];
    const repository = await startBrokenServer({
      faults: {},
      sample: Buffer.from('much is said of this'),
      record: { comments },
    });
    const { id: workspaceId } = await addTeam(vitrine, repository.baseUrl, 'a token');
    const discussed = { repository, workspaceId };
    await make(vitrine, discussed);
    // Each reply is made when it is asked for.
    comments.splice(0, many, ...newer);
    return {
      ready: unlock,
      make: (killed) => make(killed, discussed),
      look: (started, wasReported) => look(started, wasReported, discussed),
      live: [],
      close: repository.close,
      writesTried: 12,
      spaceBesides: [256, 384, 512, 768].map((kibibytes) => kibibytes * 1024),
      // The thread can be written again from the record, which is there before it.
      mayFollow: { words: 'data/vitrine.db-wal was written and not synced', behind: 'ask', times: 1 },
    };
  },
};

async function make({ call }: Vitrine, { repository, workspaceId }: Discussed): Promise<void> {
  await call('samples.lookup', { workspaceId, hash: repository.md5 });
}

async function look(vitrine: Vitrine, wasReported: boolean, discussed: Discussed): Promise<void> {
  const lookedUp = (await reportedInJournal(vitrine, 'look-up', 'found')) === 2;
  assert.ok(lookedUp || !wasReported, 'Vitrine had reported what the look-up found, and the journal does not');
  assert.equal(await threadAtRest(vitrine, discussed), lookedUp ? 'newer' : 'older');
  await unlock(vitrine);
  await make(vitrine, discussed);
  assert.equal(inWords(await threadOf(vitrine, discussed)), 'newer');
}

const atRestWithinMs = 10_000;

/** A thread of which a part was written is whole soon after it can be. @returns what there is by then */
async function threadAtRest(vitrine: Vitrine, discussed: Discussed): Promise<string> {
  const end = performance.now() + atRestWithinMs;
  return until(async () => {
    const shown = inWords(await threadOf(vitrine, discussed));
    return shown === 'older' || shown === 'newer' || performance.now() > end ? shown : null;
  });
}

/** The name of each whole list, or how much of it there is. */
function inWords(shown: readonly Comment[]): string {
  const whole = Object.entries({ older, newer }).find(([, list]) => isDeepStrictEqual(list, shown));
  return whole?.[0] ?? `${shown.length} comments, ${new Set(shown.map(({ id }) => id)).size} of them distinct`;
}

/** As a page reads it, window by window. */
async function threadOf({ call }: Vitrine, { repository: { md5 }, workspaceId }: Discussed): Promise<Comment[]> {
  const moment = randomUUID();
  const shown: Comment[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { comments, next }: CommentThread = await call('comments.thread', {
      workspaceId,
      md5,
      window: { moment, offset, limit: 500 },
    });
    shown.push(
      ...comments.map(({ id, parentId, author, content, created }) => ({ id, parentId, author, content, created })),
    );
    offset = next;
  }
  return shown;
}
