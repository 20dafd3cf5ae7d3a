import { RotateCw } from 'lucide-react';
import type { Failure } from '../../../../shared/failure.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Menu } from '../../../components/menu.tsx';
import { Notice } from '../../../components/notice.tsx';
import { mostSamples } from '../../../features/scans/scan-store.tsx';
import { text } from './text.ts';
import { type Obstacle, type ScanAgainProps, useScanAgain } from './use-scan-again.ts';

const words = (
  <>
    <RotateCw size={14} strokeWidth={1.6} aria-hidden="true" />
    {text.again}
  </>
);

/** Begins another scan of the file that is shown, or of all that are listed, with the rules as they are now. */
export function ScanAgain(props: ScanAgainProps) {
  const { job, file } = props;
  const { scanThis, scanListed, isBusy, obstacle, dismiss } = useScanAgain(props);
  const cannot = isBusy || job.workspaceId === null;
  return (
    <>
      {job.items === 1 ? (
        <Button isDisabled={cannot || file === null} onPress={scanThis}>
          {words}
        </Button>
      ) : (
        <Menu
          label={text.againMenu}
          choices={[
            { id: 'this', text: text.againThis, isDisabled: file === null },
            { id: 'listed', text: text.againListed },
          ]}
          onChoose={(id) => (id === 'this' ? scanThis() : scanListed())}
          trigger={<Button isDisabled={cannot}>{words}</Button>}
        />
      )}
      {obstacle !== null && (
        <Dialog
          title={text.again}
          isOpen
          onClose={dismiss}
          actions={
            <Button onPress={dismiss} takesFocus>
              {text.close}
            </Button>
          }
        >
          <NotBegun obstacle={obstacle} />
        </Dialog>
      )}
    </>
  );
}

const whichOf = (failure: Failure): string | undefined =>
  failure.kind === 'not-in-vault' ? text.againWhich(failure.sha256) : undefined;

function NotBegun({ obstacle }: { obstacle: Obstacle }) {
  if (obstacle.kind === 'failed') return <FailureNotice failure={obstacle.failure} after={whichOf(obstacle.failure)} />;
  if (obstacle.kind === 'missing')
    return (
      <Notice meaning="warn" title={text.againMissingTitle}>
        {text.againMissingSentence}
      </Notice>
    );
  return (
    <Notice meaning="warn" title={text.tooMany(mostSamples)}>
      {text.tooManySentence}
    </Notice>
  );
}
