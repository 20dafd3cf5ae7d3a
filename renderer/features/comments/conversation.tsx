import { CircleCheck, CircleDashed } from 'lucide-react';
import { memo, type ReactNode, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OwnComment, ThreadComment } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { CommentThread } from '../../components/comment-thread.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatNumber } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './comments.module.css';
import { Composer } from './composer.tsx';
import { type KeptDraft, useKeptDraft, useSend } from './draft.ts';
import { text } from './strings.ts';
import { authorOf, canBeAnswered, nameOf, useOlder, useReportedOutcomes, useThread } from './thread.ts';

interface ConversationProps {
  workspaceId: string;
  md5: string;
  /** Shown until the joined thread is here. */
  ofRecord?: readonly Comment[];
  /** The id of the comment that is meant. */
  marked?: string | null;
  /** The sample's name, where it is not shown beside it. Untrusted text. */
  of?: string | null;
  /** At the end of its head. */
  action?: ReactNode;
}

/** What is said of one sample, with a field to say more. A pane of its own, as high as it is let. */
export function Conversation(props: ConversationProps) {
  return <ConversationOf key={`${props.workspaceId}:${props.md5}`} {...props} />;
}

function ConversationOf({ workspaceId, md5, ofRecord, marked = null, of = null, action }: ConversationProps) {
  const { comments: known, stored, failure, refetch } = useThread(workspaceId, md5, ofRecord);
  const older = useOlder(workspaceId, md5, known, stored?.omitted ?? 0);
  const { comments } = older;
  const { workspaces } = useWorkspaces();
  const pane = useRef<HTMLElement>(null);
  const kept = useKeptDraft(workspaceId, md5, stored?.draft);
  const sending = useSend(workspaceId, md5, kept);
  const { words, meant, report } = useReportedOutcomes(stored?.comments, marked);
  const { field, previews, setPreviews, write, reply, edit, failure: notEdited } = useWriting(kept, refetch);
  useKeptFocus(pane);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- notes where the focus is
    <section
      ref={pane}
      className={classNames(layout.pane, styles.conversation)}
      data-pane
      data-conversation
      aria-label={text.conversation}
      // If the focused element disappears, the focus moves to the field.
      onFocus={() => field.current?.setAttribute('data-landing', '')}
    >
      <Head comments={stored === undefined ? 0 : comments.length} older={older.left} of={of} action={action} />
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
          <p className={typography.aside}>{text.none}</p>
        )}
        {older.left > 0 && <OlderOnes older={older} />}
        {comments.length > 0 && (
          <Comments
            comments={comments}
            listsComments={stored?.listsComments ?? false}
            marked={meant}
            onReply={reply}
            onEdit={edit}
            onChanged={refetch}
            onReported={report}
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
        workspaceId={workspaceId}
        md5={md5}
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

/** That there are more than are kept, and a way to them. */
function OlderOnes({ older: { left, isReading, failure, read } }: { older: ReturnType<typeof useOlder> }) {
  return (
    <div className={classNames(layout.stack8, styles.older)}>
      <p className={typography.note} role="status">
        {text.notKept(left)}
      </p>
      <div>
        <Button size="small" isDisabled={isReading} onPress={read}>
          {isReading ? text.readingOlder : text.showOlder}
        </Button>
      </div>
      {failure && <FailureNotice failure={failure} />}
    </div>
  );
}

interface HeadProps extends Required<Pick<ConversationProps, 'of'>> {
  comments: number;
  /** So many more are not shown. */
  older: number;
  action: ReactNode;
}

function Head({ comments, older, of, action }: HeadProps) {
  // Below the sample's name where that is on the page, else below the title of the view.
  const Title = of === null ? 'h3' : 'h2';
  return (
    <header className={classNames(layout.spreadRow, layout.top, styles.head)}>
      <Title id="comments" className={styles.title}>
        {text.title}
        {comments > 0 && (
          <span className={typography.lighter}>
            {' '}
            {older > 0 ? text.of(comments, comments + older) : formatNumber(comments)}
          </span>
        )}
        {of !== null && (
          <span className={typography.lighter}>
            {' '}
            {text.on} <SampleName name={of} />
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
  onReported(words: string): void;
}

/** Not drawn again while a person types below it. */
const Comments = memo(function Comments({
  comments,
  listsComments,
  marked,
  onReply,
  onEdit,
  onChanged,
  onReported,
}: CommentsProps) {
  const below = (comment: ThreadComment): ReactNode => (
    <>
      {comment.own !== null && (
        <OwnCommentState
          own={comment.own}
          listsComments={listsComments}
          onEdit={() => void onEdit(comment)}
          onChanged={onChanged}
          onReported={onReported}
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

interface OwnCommentProps {
  own: OwnComment;
  listsComments: boolean;
  /** Its text goes back into the draft. */
  onEdit(): void;
  /** Reads the thread again. */
  onChanged(): Promise<readonly ThreadComment[]>;
  /** Said to those who do not see it. */
  onReported(words: string): void;
}

/** The state of a comment of this computer, below its text, and the actions for it. */
function OwnCommentState({ own, listsComments, onEdit, onChanged, onReported }: OwnCommentProps): ReactNode {
  if (own.state === 'failed') return <NotSent own={own} onEdit={onEdit} onChanged={onChanged} />;
  if (own.state === 'may-have-arrived')
    return <MayHaveArrived own={own} onChanged={onChanged} onReported={onReported} />;
  if (own.state === 'sent' && own.isListed) return null;
  const isSent = own.state === 'sent';
  const Icon = isSent ? CircleCheck : CircleDashed;
  return (
    <p className={classNames(layout.row6, typography.note, styles.state, isSent && styles.sent)}>
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {isSent ? (listsComments ? text.notListedYet : text.notListed) : text.sending}
    </p>
  );
}

/** The live region of the conversation has announced it: the notice is visual only. */
function NotSent({ own: { id, failure }, onEdit, onChanged }: Pick<OwnCommentProps, 'own' | 'onEdit' | 'onChanged'>) {
  const again = useAction('comments.sendAgain');
  const words = failure === null ? null : describeFailure(failure);
  return (
    <div className={classNames(layout.stack8, styles.own)}>
      <Notice
        meaning="bad"
        title={words?.what ?? text.reported.failed('')}
        actions={
          <>
            <Button
              size="small"
              isDisabled={again.isPending}
              onPress={() => again.mutate({ id }, { onSuccess: () => void onChanged() })}
            >
              {text.sendAgain}
            </Button>
            <Button size="small" onPress={onEdit}>
              {text.edit}
            </Button>
            <Discard id={id} sentence={text.discardFailed} onChanged={onChanged} />
          </>
        }
      >
        <bdi>{failure?.kind === 'action-unknown' ? text.noSuchAction : (words?.then ?? '')}</bdi>
      </Notice>
      {again.error && <FailureNotice failure={again.error} />}
    </div>
  );
}

function MayHaveArrived({
  own: { id },
  onChanged,
  onReported,
}: Pick<OwnCommentProps, 'own' | 'onChanged' | 'onReported'>) {
  const settling = useAction('comments.settle');
  const [isUnknown, setUnknown] = useState(false);
  const read = async (): Promise<void> => {
    const after = await onChanged();
    if (!after.some(({ own }) => own?.id === id && own.state === 'may-have-arrived')) return;
    setUnknown(true);
    onReported(text.reported.stillUnknown);
  };
  const settle = (): void => settling.mutate({ id }, { onSuccess: () => void read() });
  return (
    <div className={classNames(layout.stack8, styles.own)}>
      <Notice
        meaning="warn"
        title={text.reported.mayHaveArrived}
        actions={
          <>
            <Button size="small" isDisabled={settling.isPending} onPress={settle}>
              {settling.isPending ? text.checking : text.checkAgain}
            </Button>
            <Discard id={id} sentence={text.discardMay} onChanged={onChanged} />
          </>
        }
      >
        {isUnknown ? text.stillUnknownThen : text.mayThen}
      </Notice>
      {settling.error && <FailureNotice failure={settling.error} />}
    </div>
  );
}

/** The text cannot be brought back, so it asks. */
function Discard({
  id,
  sentence,
  onChanged,
}: {
  id: number;
  sentence: string;
  onChanged: OwnCommentProps['onChanged'];
}) {
  const [asks, setAsks] = useState(false);
  const { mutate, isPending, error } = useAction('comments.discard');
  const close = (): void => setAsks(false);
  const discard = (): void =>
    mutate(
      { id },
      {
        onSuccess: () => {
          close();
          void onChanged();
        },
      },
    );
  return (
    <>
      <Button size="small" look="quiet" onPress={() => setAsks(true)}>
        {text.discard}
      </Button>
      {asks && (
        <Dialog
          title={text.discardTitle}
          isOpen
          onClose={close}
          actions={
            <>
              <Button onPress={close} takesFocus>
                {text.keep}
              </Button>
              <Button look="danger" isDisabled={isPending} onPress={discard}>
                {text.discardVerb}
              </Button>
            </>
          }
        >
          <p>{sentence}</p>
          {error && <FailureNotice failure={error} />}
        </Dialog>
      )}
    </>
  );
}
