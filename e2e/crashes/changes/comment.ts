import assert from 'node:assert/strict';
import { noDraft, type ThreadComment } from '../../../shared/domain/comment.ts';
import { labWorkspaceId as workspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5 as md5, eicarString } from '../../eicar.ts';
import { type Vitrine, until } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

const text = 'a comment that is sent while Vitrine is killed';

/** A comment that was written as a draft and is sent. */
export const comment: DurableChange = {
  name: 'comment',
  prepare: async ({ call }) => {
    await call('samples.lookup', { workspaceId, hash: md5 });
    await call('comments.saveDraft', { workspaceId, md5, draft: { text, parentId: null }, basedOn: [noDraft] });
    // It is sent, and asked for with all that the service lists, which can be read again.
    return {
      make,
      look,
      live: [eicarString],
      mayFollow: { words: 'data/vitrine.db-wal was written and not synced', behind: 'ask', times: 2 },
    };
  },
};

async function make({ call }: Vitrine): Promise<void> {
  await call('comments.send', { workspaceId, md5, draft: { text, parentId: null } });
}

async function look(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  const [mine] = await settled(vitrine);
  assert.ok(
    mine?.own?.state === 'sent' || !wasReported,
    'Vitrine had reported that the comment was sent, and it is not',
  );
  if (mine === undefined)
    assert.equal((await vitrine.call('comments.thread', { workspaceId, md5 })).draft.text, text, 'the text is lost');
  if (mine?.own?.state === 'may-have-arrived') await vitrine.call('comments.settle', { id: mine.own.id });
  const [asked] = await settled(vitrine);
  if (asked?.own?.state === 'failed') await vitrine.call('comments.sendAgain', { id: asked.own.id });
  if (asked === undefined) await make(vitrine);
  await until(async () => ((await settled(vitrine))[0]?.own?.state === 'sent' ? true : null));
  await vitrine.call('samples.lookup', { workspaceId, hash: md5 });
  assert.equal((await settled(vitrine)).length, 1, 'the comment is there more than once');
}

/** The comments of this text, when none is on its way. */
const settled = async ({ call }: Vitrine): Promise<ThreadComment[]> =>
  until(async () => {
    const { comments } = await call('comments.thread', { workspaceId, md5 });
    const mine = comments.filter((one) => one.content === text);
    return mine.some(({ own }) => own?.state === 'pending') ? null : mine;
  });
