import { CircleCheck, CircleDashed } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OwnComment, ThreadComment } from '../../../shared/domain/comment.ts';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import styles from './comments.module.css';
import { text } from './text.ts';

export interface OwnCommentProps {
  own: OwnComment;
  listsComments: boolean;
  /** Its text goes back into the draft. */
  onEdit(): void;
  /** Reads the thread again. */
  onChanged(): Promise<readonly ThreadComment[]>;
  /** Said to those who do not see it. */
  onTold(words: string): void;
}

/** How a comment of this desk stands, below its text, and what can be done about it. */
export function OwnCommentState({ own, listsComments, onEdit, onChanged, onTold }: OwnCommentProps): ReactNode {
  if (own.state === 'failed') return <NotSent own={own} onEdit={onEdit} onChanged={onChanged} />;
  if (own.state === 'may-have-arrived') return <MayHaveArrived own={own} onChanged={onChanged} onTold={onTold} />;
  if (own.state === 'sent' && own.isListed) return null;
  const isSent = own.state === 'sent';
  const Icon = isSent ? CircleCheck : CircleDashed;
  return (
    <p className={classNames(styles.state, isSent && styles.sent)}>
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {isSent ? (listsComments ? text.notListedYet : text.notListed) : text.sending}
    </p>
  );
}

/** The live region of the conversation has said it: the notice says it to the eye alone. */
function NotSent({ own: { id, failure }, onEdit, onChanged }: Pick<OwnCommentProps, 'own' | 'onEdit' | 'onChanged'>) {
  const again = useAction('comments.sendAgain');
  const words = failure === null ? null : failureWords(failure);
  return (
    <div className={styles.own}>
      <Notice
        meaning="bad"
        title={words?.what ?? text.told.failed('')}
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

function MayHaveArrived({ own: { id }, onChanged, onTold }: Pick<OwnCommentProps, 'own' | 'onChanged' | 'onTold'>) {
  const settling = useAction('comments.settle');
  const [isUnknown, setUnknown] = useState(false);
  const read = async (): Promise<void> => {
    const after = await onChanged();
    if (!after.some(({ own }) => own?.id === id && own.state === 'may-have-arrived')) return;
    setUnknown(true);
    onTold(text.told.stillUnknown);
  };
  const settle = (): void => settling.mutate({ id }, { onSuccess: () => void read() });
  return (
    <div className={styles.own}>
      <Notice
        meaning="warn"
        title={text.told.mayHaveArrived}
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
