import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { OldCopy as Kept, RemovedCopy } from '../../../../shared/domain/storage.ts';
import { useAction } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatSize } from '../../../components/format.ts';
import { focusDrawn } from '../../../keyboard/focus.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import settings from '../settings.module.css';
import { text } from './strings.ts';

/** What a move left where the data was, until it is removed; then what that gave back. */
export function OldCopy({ oldCopy }: { oldCopy: Kept | null }) {
  const [asked, setAsked] = useState<Kept | null>(null);
  const [removed, setRemoved] = useState<(RemovedCopy & { path: string }) | null>(null);
  if (oldCopy === null && removed === null) return null;
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="old-copy">
      <h3 id="old-copy" className={settings.groupTitle}>
        {text.oldCopy}
      </h3>
      {oldCopy !== null && (
        <>
          <p className={typography.sentence}>{text.oldCopySentence}</p>
          <CopyFacts {...oldCopy} />
          <div>
            <Button onPress={() => setAsked(oldCopy)}>{text.removeOld}</Button>
          </div>
        </>
      )}
      {removed !== null && removed.path !== oldCopy?.path && <Removed {...removed} />}
      {asked !== null && <RemoveOldCopy oldCopy={asked} onClose={() => setAsked(null)} onRemoved={setRemoved} />}
    </section>
  );
}

/** Takes the focus where the button had it that went with the copy. */
function Removed({ freedBytes, leftFiles, path }: RemovedCopy & { path: string }) {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (line.current !== null && document.activeElement === document.body) focusDrawn(line.current);
  }, []);
  return (
    <p ref={line} className={classNames(layout.wrapRow, typography.sentence)} role="status" tabIndex={-1}>
      {text.oldCopyGone(formatSize(freedBytes), leftFiles, path)}
    </p>
  );
}

function CopyFacts({ path, bytes }: Kept) {
  return (
    <dl className={classNames(layout.stack, typography.body, typography.facts, settings.facts)}>
      <div>
        <dt>{text.directory}</dt>
        <dd className={settings.path}>
          <bdi>{path}</bdi>
        </dd>
      </div>
      <div>
        <dt>{text.size}</dt>
        <dd>{formatSize(bytes)}</dd>
      </div>
    </dl>
  );
}

interface RemoveOldCopyProps {
  oldCopy: Kept;
  onClose(): void;
  onRemoved(removed: RemovedCopy & { path: string }): void;
}

/** The second word. */
function RemoveOldCopy({ oldCopy, onClose, onRemoved }: RemoveOldCopyProps) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useAction('storage.removeOldCopy');
  const remove = (): void =>
    mutate(
      {},
      {
        onSuccess: (removed) => {
          onRemoved({ ...removed, path: oldCopy.path });
          onClose();
          void client.invalidateQueries({ queryKey: ['storage.state'] });
        },
      },
    );
  return (
    <Dialog
      title={text.removeOldTitle}
      role="alertdialog"
      isOpen
      wide
      onClose={() => isPending || onClose()}
      actions={
        <>
          <Button isDisabled={isPending} onPress={onClose} takesFocus>
            {text.keepOld}
          </Button>
          <Button look="danger" isPending={isPending} onPress={remove}>
            {isPending ? text.removingOld : text.removeOldVerb}
          </Button>
        </>
      }
    >
      <CopyFacts {...oldCopy} />
      <p className={typography.sentence}>{text.removeOldSentence}</p>
      {error && <FailureNotice failure={error} retry={{ name: 'storage.removeOldCopy', input: {} }} onRetry={remove} />}
    </Dialog>
  );
}
