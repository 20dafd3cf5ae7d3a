import { File as FileIcon, Folder } from 'lucide-react';
import { useState } from 'react';
import { mostAddedACall } from '../../../shared/domain/addition.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { archivePasswordList } from '../../../shared/domain/opened-archive.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Result } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatSize } from '../../components/format.ts';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useNoteJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { type IntakeStore, RefusedFiles } from '../uploads/intake-store.tsx';
import type { TakenFile } from '../uploads/intake.ts';
import styles from './additions.module.css';
import { text } from './strings.ts';

const passwordRows = 2;

/** Which files, and whether archives among them are opened. */
export function AddFilesDialog({ chosen, onClose }: { chosen: ChosenFiles; onClose(): void }) {
  const { files, intake } = chosen;
  const [opensArchives, setOpensArchives] = useState(true);
  const [typed, setTyped] = useState('');
  const { begin, isBusy, failure } = useBegin(onClose);
  const passwords = archivePasswordList.safeParse(typed.split(/\r?\n/).filter((line) => line !== ''));
  const isReading = intake.intake !== null;
  const isReady = files.length > 0 && !isReading && !isBusy && (passwords.success || !opensArchives);
  const order = { opensArchives, passwords: opensArchives ? (passwords.data ?? []) : [] };
  return (
    <Dialog
      title={text.title}
      isOpen
      onClose={onClose}
      staysOnClickBeside={files.length > 0}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" isDisabled={!isReady} onPress={() => void begin(files, order)}>
            {isBusy ? text.adding : text.add(files.length)}
          </Button>
        </>
      }
    >
      <p className={typography.sentence}>{text.sentence}</p>
      <Chosen chosen={chosen} />
      <RefusedFiles store={intake} haltedAfter={text.haltedAfter} />
      <Checkbox isSelected={opensArchives} onChange={setOpensArchives}>
        {text.opensArchives}
      </Checkbox>
      {opensArchives && (
        <TextField
          label={text.passwords}
          value={typed}
          onChange={setTyped}
          rows={passwordRows}
          hint={text.passwordsHint}
          problem={passwords.success ? null : text.passwordTooLong}
          mono
        />
      )}
      {failure !== null && <FailureNotice failure={failure} />}
    </Dialog>
  );
}

/** How many files, and the ways to more. */
function Chosen({ chosen: { files, intake, clear } }: { chosen: ChosenFiles }) {
  const progress = intake.intake;
  const size = formatSize(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const words = files.length === 0 ? text.none : text.chosen(files.length, size);
  return (
    <div className={layout.stack8}>
      <p role="status" className={styles.count} data-figures>
        {progress === null ? words : text.reading(progress.added, progress.found)}
      </p>
      <div className={layout.wrap8}>
        <Button size="small" onPress={intake.pickFiles} takesFocus>
          <FileIcon size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.pickFiles}
        </Button>
        <Button size="small" onPress={intake.pickFolder}>
          <Folder size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.pickFolder}
        </Button>
        {files.length > 0 && (
          <Button size="small" look="quiet" onPress={clear}>
            {text.clear}
          </Button>
        )}
      </div>
    </div>
  );
}

function useBegin(onClose: () => void) {
  const bridge = useBridge();
  const noteJob = useNoteJob();
  const toast = useToast();
  const { openJob } = useNavigation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const begin = async (files: ChosenFiles['files'], order: AddOrder): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const begun = await beginAdding(bridge, files, order);
    setBusy(false);
    if (!begun.ok) return setFailure(begun.failure);
    const { id } = begun.value;
    noteJob(begun.value);
    toast({ meaning: 'info', text: text.begun(files.length, id), action: { text: text.show, act: () => openJob(id) } });
    onClose();
  };
  return { begin, isBusy, failure };
}

/** What the dialog is about. */
export interface ChosenFiles {
  files: readonly TakenFile[];
  intake: IntakeStore;
  clear(): void;
}

export interface AddOrder {
  opensArchives: boolean;
  passwords: readonly string[];
}

/** Begins a job of all these files, or leaves none. */
export async function beginAdding(
  bridge: Bridge<File>,
  files: readonly TakenFile[],
  order: AddOrder,
): Promise<Result<Job>> {
  const draft = await bridge.call('library.draftAdd', { opensArchives: order.opensArchives });
  if (!draft.ok) return draft;
  const { job } = draft.value;
  for (let at = 0; at < files.length; at += mostAddedACall) {
    const some = files.slice(at, at + mostAddedACall).map(({ id, path }) => ({ id, path }));
    const added = await bridge.call('library.addFiles', { job, files: some });
    if (added.ok) continue;
    // Why it could not be made is what the person is to hear; a draft that stays is removed by the next start.
    await bridge.call('jobs.forget', { id: job });
    return added;
  }
  return bridge.call('library.beginAdd', { job, passwords: [...order.passwords] });
}
