import { X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { longestComment, type ThreadComment } from '../../../shared/domain/comment.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { CommentText } from '../../components/comment-thread.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { KeyCap } from '../../components/key-cap.tsx';
import { LimitedTextArea } from '../../components/limited-text-area.tsx';
import { Notice } from '../../components/notice.tsx';
import { keys, spokenKeys } from '../../keyboard/keys.ts';
import { FailureRemedy } from '../../state/failure-remedy.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { RecordChangeDialog } from '../servers/record-change-dialog.tsx';
import { type KnownActions, MissingAction, useServerActions } from '../servers/server-actions.tsx';
import { text as serversText } from '../servers/strings.ts';
import styles from './comments.module.css';
import { type KeptDraft, type Sending, useDraftState } from './draft.ts';
import { text } from './strings.ts';
import { nameOf } from './thread.ts';

export interface ComposerProps {
  kept: KeptDraft;
  sending: Sending;
  /** Those that may be answered are among these. */
  comments: readonly ThreadComment[];
  /** Who it goes to. Untrusted text. */
  service: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Whether the text is shown as others will see it, in place of the field. */
  previews: boolean;
  onPreview(previews: boolean): void;
  /** Returns to the field. */
  onWrite(): void;
  workspaceId: string;
  md5: string;
}

/** Where a comment is written. What is typed is kept from the first letter on. */
export function Composer(props: ComposerProps) {
  const { kept, sending, comments, service, field, previews, onPreview, onWrite, workspaceId, md5 } = props;
  const actions = useServerActions(workspaceId);
  const takesComments = !actions.isAbsent('addcomment');
  const { draft, isLoaded } = useDraftState(kept);
  const id = useId();
  const isEmpty = draft.text.trim() === '';
  const canSend =
    takesComments && isLoaded && !isEmpty && draft.text.length <= longestComment && !sending.isHandingOver;
  const send = (): void => {
    onWrite();
    void sending.send();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (canSend) send();
  };
  return (
    // Before the buttons in it hear of it, which Enter presses.
    <div className={classNames(layout.stack6, styles.composer)} onKeyDownCapture={onKeyDown} data-pane>
      {sending.failure && (
        <FailureNotice
          failure={sending.failure}
          after={text.textKept}
          action={<FailureRemedy failure={sending.failure} />}
        />
      )}
      <Joined kept={kept} />
      {!takesComments && <NoComments actions={actions} />}
      <ComposerHead kept={kept} comments={comments} fieldId={id} onWrite={onWrite} />
      {previews ? (
        <div className={classNames(surface.block, styles.preview)} role="region" aria-label={text.previewOf}>
          <CommentText content={draft.text} />
        </div>
      ) : (
        <DraftField
          kept={kept}
          id={id}
          field={field}
          isReadOnly={sending.isHandingOver}
          placeholder={takesComments ? text.placeholder(visibleText(service)) : text.draftPlaceholder}
        />
      )}
      <div className={classNames(layout.spreadRow, layout.fixed)}>
        <ToggleButton
          className={styles.toggle ?? ''}
          isSelected={previews}
          isDisabled={isEmpty && !previews}
          onChange={onPreview}
        >
          {text.preview}
        </ToggleButton>
        {takesComments ? (
          <Button look="primary" isDisabled={!canSend} onPress={send}>
            {text.send}
            <KeyCap>{keys.sample.sendComment.keys}</KeyCap>
          </Button>
        ) : (
          actions.isUsable('updatefile') && (
            <ReplaceComment kept={kept} workspaceId={workspaceId} md5={md5} isDisabled={!isLoaded || isEmpty} />
          )
        )}
      </div>
    </div>
  );
}

/** What was written before stays. */
function NoComments({ actions }: { actions: KnownActions }) {
  return (
    <MissingAction title={serversText.noComments} actions={actions}>
      {actions.isUsable('updatefile') ? serversText.canReplace : serversText.cannotReplace}
    </MissingAction>
  );
}

/** The draft in place of the record's single text. It is a draft until it is there. */
function ReplaceComment({
  kept,
  workspaceId,
  md5,
  isDisabled,
}: Pick<ComposerProps, 'kept' | 'workspaceId' | 'md5'> & { isDisabled: boolean }) {
  const { draft } = useDraftState(kept);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" isDisabled={isDisabled} onPress={() => setOpen(true)}>
        {serversText.replace}
      </Button>
      {isOpen && (
        <RecordChangeDialog
          workspaceId={workspaceId}
          md5={md5}
          comment={draft.text}
          localTags={[]}
          onClose={() => setOpen(false)}
          onChanged={() => kept.edit({ text: '' })}
        />
      )}
    </>
  );
}

function Joined({ kept }: { kept: KeptDraft }) {
  const { isJoined } = useDraftState(kept);
  return isJoined ? (
    <Notice meaning="info" size="small" title={text.joined} isAlert>
      {text.joinedThen}
    </Notice>
  ) : null;
}

function ComposerHead({
  kept,
  comments,
  fieldId,
  onWrite,
}: {
  kept: KeptDraft;
  comments: readonly ThreadComment[];
  fieldId: string;
  onWrite(): void;
}) {
  const { draft, safeIn } = useDraftState(kept);
  const { parentId } = draft;
  const answered = parentId === null ? undefined : comments.find(({ id }) => id === parentId);
  return (
    <div className={classNames(layout.row4, styles.composerHead)}>
      <label htmlFor={fieldId} className={typography.cutNote}>
        {parentId === null ? (
          text.field
        ) : (
          <>
            {text.reply} <bdi>{answered === undefined ? text.toGone : text.to(visibleText(nameOf(answered)))}</bdi>
          </>
        )}
      </label>
      {parentId !== null && (
        <IconButton
          label={text.cancelReply}
          onPress={() => {
            kept.edit({ parentId: null });
            onWrite();
          }}
        >
          <X size={14} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
      )}
      {draft.text !== '' && <span className={classNames(typography.hint, styles.kept)}>{text.kept[safeIn]}</span>}
    </div>
  );
}

interface DraftFieldProps {
  kept: KeptDraft;
  id: string;
  field: RefObject<HTMLTextAreaElement | null>;
  isReadOnly: boolean;
  placeholder: string;
}

function DraftField({ kept, id, field, isReadOnly, placeholder }: DraftFieldProps) {
  const { draft, isLoaded } = useDraftState(kept);
  return (
    <LimitedTextArea
      ref={field}
      id={id}
      className={styles.field}
      value={draft.text}
      longest={longestComment}
      words={text.limit}
      placeholder={placeholder}
      readOnly={isReadOnly}
      disabled={!isLoaded}
      aria-keyshortcuts={spokenKeys(keys.sample.sendComment.keys)}
      onWrite={(written) => kept.edit({ text: written })}
    />
  );
}
