import { memo, type ReactNode, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ThreadComment } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { CommentThread } from '../../components/comment-thread.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { numberWords } from '../../components/format.ts';
import { SampleName } from '../../components/service-text.tsx';
import aloud from '../../styles/aloud.module.css';
import { useKeptFocus } from '../use-kept-focus.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import styles from './comments.module.css';
import { Composer } from './composer.tsx';
import type { KeptDraft } from './kept-draft.ts';
import { OwnCommentState } from './own-comment.tsx';
import { authorOf, canBeAnswered, nameOf } from './own-words.ts';
import { text } from './text.ts';
import { useKeptDraft } from './use-kept-draft.ts';
import { useSend } from './use-send.ts';
import { useThread } from './use-thread.ts';
import { useTold } from './use-told.ts';

const longestName = 28;

export interface ConversationProps {
  workspaceId: string;
  md5: string;
  /** Shown until the joined thread is here. */
  ofRecord?: readonly Comment[];
  /** The id of the comment that is meant. */
  marked?: string | null;
  /** The sample's name, where it does not stand beside it. Untrusted text. */
  of?: string | null;
  /** At the end of its head. */
  action?: ReactNode;
}

/** What is said of one sample, with a field to say more. A pane of its own, as high as it is let. */
export function Conversation(props: ConversationProps) {
  return <ConversationOf key={`${props.workspaceId}:${props.md5}`} {...props} />;
}

function ConversationOf({ workspaceId, md5, ofRecord, marked = null, of = null, action }: ConversationProps) {
  const { comments, stored, failure, refetch } = useThread(workspaceId, md5, ofRecord);
  const { workspaces } = useWorkspaces();
  const pane = useRef<HTMLElement>(null);
  const kept = useKeptDraft(workspaceId, md5, stored?.draft);
  const sending = useSend(workspaceId, md5, kept);
  const { words, meant, tell } = useTold(stored?.comments, marked);
  const { field, previews, setPreviews, write, reply, edit, failure: notEdited } = useWriting(kept, refetch);
  useKeptFocus(pane);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- notes where the focus is
    <section
      ref={pane}
      className={styles.conversation}
      data-pane
      data-conversation
      aria-label={text.conversation}
      // Whatever of it goes while it has the focus, the field is where one goes on.
      onFocus={() => field.current?.setAttribute('data-landing', '')}
    >
      <Head comments={stored === undefined ? 0 : comments.length} of={of} action={action} />
      {/* The thread scrolls, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroller} tabIndex={0} role="region" aria-labelledby="comments" data-thread>
        {failure && (
          <FailureNotice
            failure={failure}
            retry={{ name: 'comments.thread', input: { workspaceId, md5 } }}
            onRetry={() => void refetch()}
          />
        )}
        {comments.length === 0 && stored !== undefined && failure === null && (
          <p className={styles.nothing}>{text.none}</p>
        )}
        {comments.length > 0 && (
          <Comments
            comments={comments}
            listsComments={stored?.listsComments ?? false}
            marked={meant}
            onReply={reply}
            onEdit={edit}
            onChanged={refetch}
            onTold={tell}
          />
        )}
        {notEdited && <FailureNotice failure={notEdited} />}
      </div>
      <p role="status" className={aloud.only}>
        {words}
      </p>
      <Composer
        kept={kept}
        sending={sending}
        comments={comments}
        service={workspaces.find(({ id }) => id === workspaceId)?.name ?? ''}
        field={field}
        previews={previews}
        onPreview={setPreviews}
        onWrite={write}
      />
    </section>
  );
}

/** Writing in the field: a new comment, a reply, or an own comment that is edited. */
function useWriting(kept: KeptDraft, refetch: () => Promise<unknown>) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [previews, setPreviews] = useState(false);
  const { mutate: discard, error: failure } = useAction('comments.discard');
  const write = useCallback(() => {
    // The field is not there while its preview is.
    flushSync(() => setPreviews(false));
    field.current?.focus();
  }, []);
  const reply = useCallback(
    (comment: ThreadComment) => {
      kept.edit({ parentId: comment.id });
      write();
    },
    [kept, write],
  );
  const edit = useCallback(
    async ({ own, content, parentId }: ThreadComment) => {
      kept.putBack({ text: content, parentId });
      write();
      // It goes only when its text is safe as a draft.
      if (own !== null && (await kept.flush()) === null) discard({ id: own.id }, { onSuccess: () => void refetch() });
    },
    [kept, write, discard, refetch],
  );
  return { field, previews, setPreviews, write, reply, edit, failure };
}

interface HeadProps extends Required<Pick<ConversationProps, 'of'>> {
  comments: number;
  action: ReactNode;
}

function Head({ comments, of, action }: HeadProps) {
  // Below the sample's name where that stands on the page, else below the title of the room.
  const Title = of === null ? 'h3' : 'h2';
  return (
    <header className={styles.head}>
      <Title id="comments" className={styles.title}>
        {text.title}
        {comments > 0 && <span className={styles.aside}> {numberWords(comments)}</span>}
        {of !== null && (
          <span className={styles.aside}>
            {' '}
            {text.on} <SampleName name={of} longest={longestName} />
          </span>
        )}
      </Title>
      {action}
    </header>
  );
}

interface CommentsProps {
  comments: readonly ThreadComment[];
  listsComments: boolean;
  marked: string | null;
  onReply(comment: ThreadComment): void;
  onEdit(comment: ThreadComment): Promise<void>;
  onChanged(): Promise<readonly ThreadComment[]>;
  onTold(words: string): void;
}

/** Not drawn again while somebody types below it. */
const Comments = memo(function Comments({
  comments,
  listsComments,
  marked,
  onReply,
  onEdit,
  onChanged,
  onTold,
}: CommentsProps) {
  const below = (comment: ThreadComment): ReactNode => (
    <>
      {comment.own !== null && (
        <OwnCommentState
          own={comment.own}
          listsComments={listsComments}
          onEdit={() => void onEdit(comment)}
          onChanged={onChanged}
          onTold={onTold}
        />
      )}
      {canBeAnswered(comment, listsComments) && (
        <div className={styles.acts}>
          <Button
            size="small"
            look="quiet"
            aria-label={text.replyTo(visibleText(nameOf(comment)))}
            onPress={() => onReply(comment)}
          >
            {text.reply}
          </Button>
        </div>
      )}
    </>
  );
  return <CommentThread comments={comments} authorOf={authorOf} nameOf={nameOf} below={below} marked={marked} />;
});
