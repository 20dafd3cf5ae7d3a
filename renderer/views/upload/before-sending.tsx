import { LockKeyhole } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { TextArea } from 'react-aria-components/TextArea';
import { longestComment } from '../../../shared/domain/comment.ts';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle, formatNumber, formatSize, nameInSentence } from '../../components/format.ts';
import { KeyCap } from '../../components/key-cap.tsx';
import { useServerActions } from '../../features/servers/server-actions.tsx';
import { useUploadStore } from '../../features/uploads/upload-store.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { CommentThere } from './comment-there.tsx';
import type { Draft } from './draft-context.tsx';
import { text } from './strings.ts';
import styles from './upload.module.css';

const longestWorkspace = 28;
const shownName = (name: string): string => visibleText(cutMiddle(name, longestWorkspace));

interface BeforeSendingProps {
  draft: Draft;
  summary: UploadDraft;
  commentText: string;
  sending: Sending;
}

/** What would happen, in numbers and names, before it does. */
export function BeforeSending({ draft, summary, commentText, sending }: BeforeSendingProps) {
  return (
    <section className={classNames(layout.stack, styles.before)} data-pane aria-labelledby="before-sending">
      <div className={classNames(layout.spreadRow, layout.top, styles.beforeTitle)}>
        <h2 id="before-sending">{text.beforeSending}</h2>
        {/* Comes and goes while files come in: nothing below it may move for that. */}
        {summary.unasked > 0 && (
          <span className={classNames(typography.lighter, typography.ellipsis)} data-figures>
            {text.asking(summary.unasked)}
          </span>
        )}
      </div>
      <div className={classNames(layout.scroll, styles.beforeBody)}>
        <Amounts draft={draft} summary={summary} commentText={commentText} />
        <Receivers draft={draft} summary={summary} />
        <CommentField draft={draft} value={commentText} files={summary.toSend.files} />
      </div>
      <SendFoot draft={draft} summary={summary} sending={sending} />
    </section>
  );
}

function Amounts({ draft, summary, commentText }: Omit<BeforeSendingProps, 'sending'>) {
  const [comments, setComments] = useState(false);
  const { isAbsent } = useServerActions(draft.workspace.id);
  const { toSend, there, leftOut, unanswered } = summary;
  const rows = [
    { words: text.sentNow, ...toSend },
    { words: text.alreadyThere, ...there },
    { words: text.leftOut, ...leftOut },
  ];
  return (
    <section className={classNames(layout.stack8, styles.section)} aria-label={text.amounts}>
      <dl data-figures>
        {rows.map(({ words, files, bytes }, at) => (
          <div key={words} className={classNames(layout.grid8, styles.amount, at === 0 && styles.main)}>
            <dt>{words}</dt>
            <dd>{formatNumber(files)}</dd>
            <dd className={styles.bytes}>{bytes === 0 ? '0' : formatSize(bytes)}</dd>
          </div>
        ))}
      </dl>
      {unanswered > 0 && (
        <p className={typography.muted}>
          {isAbsent('getfile') ? text.uncheckable : text.unanswered(unanswered)}{' '}
          <Button
            size="small"
            look="inline"
            onPress={() => void draft.writes.send('uploads.ask', { workspaceId: draft.workspace.id })}
          >
            {text.askAgain}
          </Button>
        </p>
      )}
      {there.files > 0 && (
        <Button size="small" onPress={() => setComments(true)}>
          {text.commentThere}
        </Button>
      )}
      {comments && <CommentThere draft={draft} comment={commentText} onClose={() => setComments(false)} />}
    </section>
  );
}

function Receivers({
  draft: { workspace },
  summary: { virusTotal, sandbox, closed },
}: Pick<BeforeSendingProps, 'draft' | 'summary'>) {
  const names = workspace.options.receivers;
  const receivers = [
    { name: visibleText(names.virusTotal), ...virusTotal },
    { name: visibleText(names.sandbox), ...sandbox },
  ].filter(({ files }) => files > 0);
  const [one, other] = receivers.map(({ name }) => name);
  return (
    <section className={classNames(layout.stack8, styles.section)}>
      <h3>{text.whoElse}</h3>
      {receivers.map(({ name, files, names: some }, at) => (
        <div key={at} className={styles.receiver}>
          <p className={classNames(layout.spread, styles.receiverLine)} data-figures>
            <bdi>{name}</bdi>
            <span>{text.files(files)}</span>
          </p>
          <p className={styles.receiverNames}>
            <bdi>{some.map((file) => nameInSentence(file, 60)).join(', ')}</bdi>
            {files > some.length && ` ${text.andMore(files - some.length)}`}
          </p>
        </div>
      ))}
      <p className={typography.muted}>
        {one === undefined
          ? text.onlyRecipient(shownName(workspace.name))
          : text.handsOn(shownName(workspace.name), other === undefined ? one : text.and(one, other))}
      </p>
      {closed > 0 && (
        <p className={classNames(layout.flex8, styles.closed)}>
          <LockKeyhole size={16} strokeWidth={1.6} aria-hidden="true" />
          {text.closed(closed)}
        </p>
      )}
    </section>
  );
}

function SendFoot({
  draft: { workspace },
  summary: { toSend, requests },
  sending: { obstacle, failure, send },
}: Pick<BeforeSendingProps, 'draft' | 'summary' | 'sending'>) {
  const { openSettings } = useNavigation();
  return (
    <div className={classNames(layout.stack8, layout.bottom, layout.inset, styles.foot)}>
      {failure && <FailureNotice failure={failure} />}
      <p className={typography.note} data-figures id="send-words">
        {obstacle ?? text.to(shownName(workspace.name), requests)}
      </p>
      {workspace.repository === null && (
        <Button size="small" onPress={() => openSettings('workspaces')}>
          {text.openSettings}
        </Button>
      )}
      <Button look="primary" isDisabled={obstacle !== null} onPress={send} aria-describedby="send-words">
        {text.send(toSend.files)}
        <KeyCap>{text.sendKey}</KeyCap>
      </Button>
    </div>
  );
}

/** From here on it shows its length. */
const nearlyTooLong = longestComment * 0.9;

/** The comment as it is typed, or as the host has it. */
export function useCommentText({ comment }: Draft, summary: UploadDraft): string {
  const typed = useSyncExternalStore(comment.subscribe, comment.typed);
  useEffect(() => comment.release(summary.comment), [comment, summary.comment]);
  return typed ?? summary.comment;
}

/** One text for every file of the next sending, saved while it is typed. */
function CommentField({ draft: { comment }, value, files }: { draft: Draft; value: string; files: number }) {
  // Leaving the view ends the typing.
  useEffect(() => () => void comment.flush(), [comment]);
  const isTooLong = value.length > longestComment;
  return (
    <section className={classNames(layout.stack8, styles.section)}>
      <div className={classNames(layout.spread, styles.sectionHead)}>
        <h3 id="upload-comment">{text.comment}</h3>
        {files > 0 && (
          <span className={typography.faint} data-figures>
            {text.onAll(files)}
          </span>
        )}
      </div>
      <TextArea
        className={classNames(surface.input, styles.comment)}
        aria-labelledby="upload-comment"
        aria-describedby="upload-comment-length"
        aria-invalid={isTooLong}
        value={value}
        rows={4}
        onChange={(event) => comment.type(event.target.value)}
        onBlur={() => void comment.flush()}
      />
      <p
        id="upload-comment-length"
        className={classNames(typography.faint, isTooLong && styles.problem)}
        role="status"
        data-figures
      >
        {isTooLong
          ? text.commentTooLong(value.length, longestComment)
          : value.length >= nearlyTooLong && text.commentLength(value.length, longestComment)}
      </p>
    </section>
  );
}

interface Sending {
  /** Why nothing can be sent now, in words; null when it can. */
  obstacle: string | null;
  failure: Failure | null;
  send(): void;
}

/** Sends what is ticked and new, after everything that was typed before it. */
export function useSending(
  { workspace, writes, comment }: Draft,
  summary: UploadDraft,
  commentLength: number,
): Sending {
  const { intake, showJob } = useUploadStore();
  const [state, setState] = useState<{ isSending: boolean; failure: Failure | null }>({
    isSending: false,
    failure: null,
  });
  const obstacle = state.isSending
    ? text.cannotSend.sending
    : obstacleOf(summary, { hasRepository: workspace.repository !== null, isComing: intake !== null, commentLength });
  const run = async (): Promise<void> => {
    setState({ isSending: true, failure: null });
    // Saved before the job is made of it: writes are answered in their order.
    void comment.flush();
    const answer = await writes.send('uploads.send', { workspaceId: workspace.id });
    setState({ isSending: false, failure: answer.ok ? null : answer.failure });
    if (!answer.ok) return writes.dismissFailure();
    comment.forget();
    showJob(answer.value);
  };
  return { obstacle, failure: state.failure, send: () => void (obstacle === null && run()) };
}

interface Circumstances {
  hasRepository: boolean;
  isComing: boolean;
  commentLength: number;
}

function obstacleOf(
  { busy, toSend, ticked }: UploadDraft,
  { hasRepository, isComing, commentLength }: Circumstances,
): string | null {
  const words = text.cannotSend;
  if (!hasRepository) return words.noRepository;
  if (isComing) return words.coming;
  if (busy > 0) return words.busy(busy);
  if (ticked === 0) return words.none;
  if (toSend.files === 0) return words.nothing;
  return commentLength > longestComment ? words.tooLong : null;
}
