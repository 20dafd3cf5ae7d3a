import { type SubmitEvent, useId, useState } from 'react';
import type { UploadDraft, UploadFile, UploadTarget } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useIsMounted } from '../../state/presence.ts';
import type { DraftWrites } from './draft-writes.ts';
import { text } from './strings.ts';

const longestPassword = 128;

interface ArchivePasswordProps {
  file: UploadFile;
  writes: DraftWrites;
  onClose(): void;
}

/** One more password for an archive that none of the known ones opens. */
export function ArchivePassword({ file, writes, onClose }: ArchivePasswordProps) {
  const isHere = useIsMounted();
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isTrying, setTrying] = useState(false);
  const form = useId();
  const isWrong = failure?.kind === 'archive-password';
  const open = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isTrying || password === '') return;
    setTrying(true);
    const answer = await writes.send('uploads.openArchive', { id: file.id, password });
    // The dialog may be closed by now, and that of another archive open; the view shows why this archive was not
    // opened.
    if (!isHere()) return;
    setTrying(false);
    if (answer.ok) return onClose();
    writes.dismissFailure();
    setFailure(answer.failure);
  };
  return (
    <Dialog
      title={text.passwordTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.notNow}</Button>
          <Button look="primary" type="submit" form={form} isDisabled={password === '' || isTrying}>
            {text.openArchive}
          </Button>
        </>
      }
    >
      <p>
        <SampleName name={file.name} />
      </p>
      <form id={form} onSubmit={(event) => void open(event)}>
        <TextField
          label={text.password}
          value={password}
          onChange={(value) => {
            setPassword(value);
            setFailure(null);
          }}
          maxLength={longestPassword}
          mono
          takesFocus
          autoComplete="off"
          hint={text.passwordHint}
          problem={isWrong ? text.passwordWrong : null}
        />
      </form>
      {failure && !isWrong && <FailureNotice failure={failure} />}
    </Dialog>
  );
}

/**
 * The draft as it was when the question came up: its numbers stay while more comes in, and the answer is about nothing
 * newer. `held` is at least one.
 */
export type TickAllRequest = Pick<UploadDraft, 'files' | 'held' | 'newest'>;

interface TickAllQuestionProps {
  request: TickAllRequest;
  onTick(target: UploadTarget): void;
  onClose(): void;
}

/** A tick of all files would be one of each that came by itself, too: whether that is meant. */
export function TickAllQuestion({ request: { files, held, newest }, onTick, onClose }: TickAllQuestionProps) {
  const tick = (target: UploadTarget): void => {
    onClose();
    onTick(target);
  };
  const others = files - held;
  return (
    <Dialog
      title={text.tickHeldTitle(held)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => (others > 0 ? tick({ kind: 'not-held' }) : onClose())} takesFocus>
            {others > 0 ? text.tickOthers(others) : text.tickNone}
          </Button>
          <Button onPress={() => tick({ kind: 'all', upTo: newest })}>{text.tickAll(files)}</Button>
        </>
      }
    >
      <p>{text.tickHeldThen}</p>
    </Dialog>
  );
}
