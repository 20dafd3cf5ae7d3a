import type { ThreadComment } from '../../../../shared/domain/comment.ts';
import { type Act, type ActScene, type Ending, must } from './act.ts';

const text = 'seen in a mail of last week';

/** A comment on a sample whose conversation was read before. */
export const addcomment: Act = {
  sampleBytes: [100],
  areAtService: true,
  async prepare({ vitrine, workspaceId, samples: [sample] }) {
    await vitrine.call('samples.lookup', { workspaceId, hash: sample?.md5 ?? '' });
  },
  async does(scene) {
    const { vitrine, workspaceId } = scene;
    await vitrine.call('comments.send', { workspaceId, md5: md5Of(scene), draft: { text, parentId: null } });
    return endingOf(await ownComment(scene));
  },
  async doesAgain(scene, { state }) {
    const { vitrine } = scene;
    const id = (await ownComment(scene)).own?.id ?? 0;
    if (state === 'may-have-arrived') await vitrine.call('comments.settle', { id });
    if (endingOf(await ownComment(scene)).state === 'failed') await vitrine.call('comments.sendAgain', { id });
    return endingOf(await ownComment(scene));
  },
  async kept({ service: { sound } }, { state }) {
    const times = sound.comments.filter((content) => content === text).length;
    must(sound.comments.length === times && times <= 1, `the service has ${sound.comments.length} comments`);
    must(times === 1 || state !== 'sent', 'a comment that was sent, and the service has none');
    must(times === 0 || state !== 'failed', 'a comment that failed, and the service has it');
    return times === 0 ? 'nothing' : 'once at the service';
  },
  wholeKept: 'once at the service',
};

const md5Of = ({ samples: [sample] }: ActScene): string => sample?.md5 ?? '';

async function ownComment(scene: ActScene): Promise<ThreadComment> {
  const { comments } = await scene.vitrine.call('comments.thread', {
    workspaceId: scene.workspaceId,
    md5: md5Of(scene),
  });
  const [comment] = comments;
  if (comment?.own === undefined || comment.own === null || comments.length > 1)
    throw new Error(`the conversation has ${comments.length} comments`);
  return comment;
}

const endingOf = ({ own }: ThreadComment): Ending => ({
  state: own?.state ?? 'missing',
  failure: own?.failure ?? null,
});
