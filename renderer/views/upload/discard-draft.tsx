import { useState } from 'react';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';

/** What was reviewed cannot be brought back, so it asks. What comes in while it does is not among what goes. */
export function DiscardDraft({
  draft: { workspace, writes, comment },
  summary,
}: {
  draft: Draft;
  summary: UploadDraft;
}) {
  const [asked, setAsked] = useState<UploadDraft | null>(null);
  const close = (): void => setAsked(null);
  const discard = ({ newest }: UploadDraft): void => {
    close();
    void writes.remove({ kind: 'all', upTo: newest });
    void writes.send('uploads.comment', { workspaceId: workspace.id, text: '' });
    comment.forget();
  };
  return (
    <>
      <Button look="quiet" onPress={() => setAsked(summary)}>
        {text.discard}
      </Button>
      {asked !== null && (
        <Dialog
          title={text.discardTitle(asked.files)}
          isOpen
          onClose={close}
          actions={
            <>
              <Button onPress={close} takesFocus>
                {text.keepDraft}
              </Button>
              <Button look="danger" onPress={() => discard(asked)}>
                {text.discardDraft}
              </Button>
            </>
          }
        >
          <p>{text.discardThen}</p>
        </Dialog>
      )}
    </>
  );
}
