import type { ReactNode } from 'react';
import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import { isFinalJob } from '../../../shared/domain/job.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { sizeWords } from '../../components/format.ts';
import { JobProgress } from '../../components/jobs/job-progress.tsx';
import { ProgressLine } from '../../components/progress-line.tsx';
import { CutName } from '../../components/service-text.tsx';
import { useJob, useWatchedJob } from '../jobs.tsx';
import { useNavigation } from '../navigation.tsx';
import { BundleContents } from './bundle-contents.tsx';
import { type BundleFile, shownName, useBundleDesk } from './bundle-desk.tsx';
import styles from './bundle.module.css';
import { text } from './text.ts';
import { UnlockBundleDialog } from './unlock-bundle-dialog.tsx';
import { useForgetBundle } from './use-forget-bundle.ts';

/** From a file to what was taken in, in one place: it can be closed at any moment, and goes on where it stands. */
export function OpenBundleDialog() {
  const { opening, file } = useBundleDesk();
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
  const { hide } = useBundleDesk();
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
        label={text.reading(shownName(opening.name))}
        receivedBytes={opening.readBytes}
        totalBytes={opening.sizeBytes}
        bytesPerSecond={0}
      />
      <p className={styles.sentence}>{text.readingSentence}</p>
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
      <p className={styles.file}>
        <CutName name={opening.name} />
        <span className={styles.size}>{sizeWords(opening.sizeBytes)}</span>
      </p>
      {opening.failure && <FailureNotice failure={opening.failure} />}
    </Frame>
  );
}

/** Its job tells the rest. */
function TakingIn({ opening }: { opening: BundleOpening }) {
  const { hide } = useBundleDesk();
  const forget = useForgetBundle(opening);
  const { openJob } = useNavigation();
  const job = useJob(opening.job);
  useWatchedJob(opening.job);
  const isOver = opening.state === 'imported' || (job !== null && isFinalJob(job));
  const name = shownName(opening.facts?.title ?? opening.name);
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
