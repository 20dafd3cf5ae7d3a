import { type ChangeEvent, type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import { isFinalJob } from '../../../shared/domain/job.ts';
import type { StagedFile } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatSize, nameInSentence } from '../../components/format.ts';
import { JobProgress } from '../../components/jobs/job-progress.tsx';
import { ProgressLine } from '../../components/progress-line.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useJob, useWatchedJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useIsMounted } from '../../state/presence.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { BundleContents, useForgetBundle } from './bundle-contents.tsx';
import { type BundleFile, useBundleStore } from './bundle-store.tsx';
import styles from './bundle.module.css';
import { text } from './strings.ts';

/** From a file to the import, in one place: it can be closed at any moment, and reopens at the same step. */
export function OpenBundleDialog() {
  const { opening, file } = useBundleStore();
  if (opening === null || (file !== null && isLocked(opening, file))) return <UnlockBundleDialog />;
  switch (opening.state) {
    case 'reading':
      return <Reading opening={opening} />;
    case 'ready':
      return opening.facts === null ? null : (
        <BundleContents key={opening.id} opening={opening} facts={opening.facts} />
      );
    case 'refused':
      return <Refused opening={opening} />;
    default:
      return <TakingIn opening={opening} />;
  }
}

/** Another file goes before what is open, and another passphrase may open this one. */
const isLocked = ({ id, state, failure }: BundleOpening, file: BundleFile): boolean =>
  file.openingId !== id || (state === 'refused' && failure?.kind === 'bundle-passphrase-wrong');

function Frame({ title, actions, children }: { title: string; actions: ReactNode; children: ReactNode }) {
  const { hide } = useBundleStore();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={hide}
      actions={
        <>
          <Button onPress={hide} takesFocus>
            {text.close}
          </Button>
          {actions}
        </>
      }
    >
      {children}
    </Dialog>
  );
}

function Reading({ opening }: { opening: BundleOpening }) {
  const forget = useForgetBundle(opening);
  return (
    <Frame title={text.open} actions={<Button onPress={forget}>{text.stop}</Button>}>
      <ProgressLine
        key={opening.id}
        label={text.reading(nameInSentence(opening.name))}
        receivedBytes={opening.readBytes}
        totalBytes={opening.sizeBytes}
        bytesPerSecond={0}
      />
      <p className={typography.sentence}>{text.readingSentence}</p>
    </Frame>
  );
}

function Refused({ opening }: { opening: BundleOpening }) {
  const forget = useForgetBundle(opening);
  return (
    <Frame
      title={text.open}
      actions={
        <Button look="primary" onPress={forget}>
          {text.chooseOther}
        </Button>
      }
    >
      <p className={classNames(layout.row8, typography.note, styles.file)}>
        <SampleName name={opening.name} />
        <span className={styles.size}>{formatSize(opening.sizeBytes)}</span>
      </p>
      {opening.failure && <FailureNotice failure={opening.failure} />}
    </Frame>
  );
}

/** Its job shows the rest. */
function TakingIn({ opening }: { opening: BundleOpening }) {
  const { hide } = useBundleStore();
  const forget = useForgetBundle(opening);
  const { openJob } = useNavigation();
  const job = useJob(opening.job);
  useWatchedJob(opening.job);
  const isOver = opening.state === 'imported' || (job !== null && isFinalJob(job));
  const name = nameInSentence(opening.facts?.title ?? opening.name);
  const show = (): void => {
    if (job === null) return;
    hide();
    openJob(job.id);
  };
  return (
    <Frame
      title={opening.state === 'imported' ? text.importedTitle(name) : text.importingTitle(name)}
      actions={
        <>
          {isOver && <Button onPress={forget}>{text.chooseOther}</Button>}
          <Button look="primary" isDisabled={job === null} onPress={show}>
            {text.showJob}
          </Button>
        </>
      }
    >
      {job !== null && <JobProgress job={job} />}
      {opening.failure && <FailureNotice failure={opening.failure} />}
    </Frame>
  );
}

/** Which file, and its passphrase. What is wrong with that is said at its field. */
export function UnlockBundleDialog() {
  const { opening, file, hide } = useBundleStore();
  const { isOpening, failure, open } = useOpenBundle();
  const [passphrase, setPassphrase] = useState('');
  const [isTyped, setTyped] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const form = useId();
  const pick = (): void => picker.current?.click();
  const type = (typed: string): void => {
    setPassphrase(typed);
    setTyped(true);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file === null || passphrase === '' || isOpening) return;
    setTyped(false);
    open(file, passphrase);
  };
  const reported = failure ?? (file !== null && file.openingId === opening?.id ? opening.failure : null);
  return (
    <Dialog
      title={text.open}
      isOpen
      onClose={hide}
      actions={
        <>
          <Button onPress={hide}>{text.close}</Button>
          {file === null ? (
            <Button look="primary" takesFocus onPress={pick}>
              {text.choose}
            </Button>
          ) : (
            <Button look="primary" type="submit" form={form} isDisabled={passphrase === '' || isOpening}>
              {isOpening ? text.opening : text.openVerb}
            </Button>
          )}
        </>
      }
    >
      <p className={typography.sentence}>
        {text.chooseSentence}
        {file === null && ` ${text.dropToo}`}
      </p>
      <BundlePicker ref={picker} />
      {file !== null && (
        <form id={form} className={styles.form} onSubmit={submit}>
          <p className={classNames(layout.row8, typography.note, styles.file)}>
            <SampleName name={file.file.name} />
            <span className={styles.size}>{formatSize(file.file.size)}</span>
            <Button size="small" isDisabled={isOpening} onPress={pick}>
              {text.chooseOther}
            </Button>
          </p>
          <TextField
            takesFocus
            label={text.passphrase}
            type="password"
            value={passphrase}
            onChange={type}
            problem={isTyped || isOpening ? null : problemOf(reported)}
            maxLength={1024}
            autoComplete="off"
          />
          {reported !== null && problemOf(reported) === null && <FailureNotice failure={reported} />}
        </form>
      )}
    </Dialog>
  );
}

function problemOf(failure: Failure | null): string | null {
  if (failure?.kind !== 'bundle-passphrase-wrong') return null;
  const { what, then } = describeFailure(failure);
  return `${what}. ${then}`;
}

/** The browser's picker, which only a file input opens. The input itself can be neither seen nor reached. */
export function BundlePicker({ ref }: { ref: RefObject<HTMLInputElement | null> }) {
  const { take } = useBundleStore();
  const pick = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = currentTarget.files ?? [];
    if (chosen !== undefined) take(chosen);
    // The same file can be picked again.
    currentTarget.value = '';
  };
  return <input ref={ref} type="file" hidden accept=".vitrine-bundle" data-picker="bundle" onChange={pick} />;
}

interface OpenBundle {
  isOpening: boolean;
  /** Why the last try did not even begin. */
  failure: Failure | null;
  open(file: BundleFile, passphrase: string): void;
}

/** Passes a file to the host, which then reads it. For a second try with another passphrase it is not passed again. */
export function useOpenBundle(): OpenBundle {
  const bridge = useBridge();
  const { noteBegun, noteFile } = useBundleStore();
  const [isOpening, setOpening] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const toast = useToast();
  const isHere = useIsMounted();
  const report = (file: File, why: Failure): void => {
    if (isHere()) setFailure(why);
    else
      toast({
        meaning: 'bad',
        text: text.notOpened(nameInSentence(file.name), describeFailure(why).what),
        failure: why,
      });
  };
  const open = async ({ file, stagedId }: BundleFile, passphrase: string): Promise<void> => {
    setOpening(true);
    setFailure(null);
    const answer = await opened(bridge, file, stagedId, passphrase);
    setOpening(false);
    if (!answer.ok) return report(file, answer.failure);
    noteFile({ file, stagedId: answer.value.stagedId, openingId: answer.value.opening.id });
    return noteBegun(answer.value.opening);
  };
  return { isOpening, failure, open: (file, passphrase) => void open(file, passphrase) };
}

interface Opened {
  stagedId: StagedFile['id'];
  opening: BundleOpening;
}

async function opened(
  bridge: Bridge<File>,
  file: File,
  known: string | null,
  passphrase: string,
): Promise<Result<Opened>> {
  const staged = known === null ? await bridge.stageFile(file) : success({ id: known });
  if (!staged.ok) return staged;
  const stagedId = staged.value.id;
  const answer = await bridge.call('bundles.open', { stagedId, passphrase });
  if (answer.ok) return success({ stagedId, opening: answer.value });
  // The host lets go of staged files after a while.
  return known !== null && answer.failure.kind === 'staged-file-missing'
    ? opened(bridge, file, null, passphrase)
    : answer;
}
