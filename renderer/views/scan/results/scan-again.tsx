import { RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Bridge } from '../../../../shared/bridge.ts';
import type { OperationInput } from '../../../../shared/contract.ts';
import type { Job } from '../../../../shared/domain/job.ts';
import type { ScanFilter, ScannedFile } from '../../../../shared/domain/scan.ts';
import { type Failure, type Result, success } from '../../../../shared/failure.ts';
import { useNoteJob } from '../../../app/jobs.tsx';
import { useNavigation } from '../../../app/navigation.tsx';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Menu } from '../../../components/menu.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { text } from './text.ts';

/** As many samples as can be named one by one. */
const mostSamples = 5000;
const atOnce = 1000;

type Obstacle = { kind: 'failed'; failure: Failure } | { kind: 'missing' } | { kind: 'too-many' };

export interface ScanAgainProps {
  job: Job;
  filter: ScanFilter;
  file: Pick<ScannedFile, 'sha256' | 'inVault'> | null;
}

/** Begins another scan of the file that is shown, or of all that are listed, with the rules as they are now. */
export function ScanAgain({ job, filter, file }: ScanAgainProps) {
  const bridge = useBridge();
  const began = useBegan();
  const isBusy = useRef(false);
  const [obstacle, setObstacle] = useState<Obstacle | null>(null);
  const { workspaceId, task } = job;
  const engines: OperationInput<'scans.start'>['engines'] = task.kind === 'scan' ? task.engines : 'local';
  const start = async (sha256s: readonly string[]): Promise<void> => {
    if (workspaceId === null) return;
    const answer = await bridge.call('scans.start', { workspaceId, engines, files: [], samples: [...sha256s], tlp: null });
    if (answer.ok) began(answer.value);
    else setObstacle(answer.failure.kind === 'not-in-vault' ? { kind: 'missing' } : { kind: 'failed', failure: answer.failure });
  };
  const scanThis = async (): Promise<void> => {
    if (file === null) return;
    if (file.inVault) await start([file.sha256]);
    else setObstacle({ kind: 'missing' });
  };
  const scanListed = async (): Promise<void> => {
    const read = await readListed(bridge, job.id, filter);
    if (!read.ok) return setObstacle({ kind: 'failed', failure: read.failure });
    if (read.value.length > mostSamples) return setObstacle({ kind: 'too-many' });
    await start(read.value);
  };
  const once = (act: () => Promise<void>): void => {
    if (isBusy.current) return;
    isBusy.current = true;
    void act().finally(() => (isBusy.current = false));
  };
  const close = (): void => setObstacle(null);
  const words = <><RotateCw size={14} strokeWidth={1.6} aria-hidden="true" />{text.again}</>;
  return (
    <>
      {job.items === 1
        ? <Button isDisabled={file === null || workspaceId === null} onPress={() => once(scanThis)}>{words}</Button>
        : (
          <Menu
            label={text.againMenu}
            choices={[{ id: 'this', text: text.againThis, isDisabled: file === null }, { id: 'listed', text: text.againListed }]}
            onChoose={(id) => once(id === 'this' ? scanThis : scanListed)}
            trigger={<Button isDisabled={workspaceId === null}>{words}</Button>}
          />
        )}
      {obstacle !== null && (
        <Dialog title={text.again} isOpen onClose={close} actions={<Button onPress={close} takesFocus>{text.close}</Button>}>
          <NotBegun obstacle={obstacle} />
        </Dialog>
      )}
    </>
  );
}

function NotBegun({ obstacle }: { obstacle: Obstacle }) {
  if (obstacle.kind === 'failed') return <FailureNotice failure={obstacle.failure} />;
  if (obstacle.kind === 'missing') return <Notice meaning="warn" title={text.againMissingTitle}>{text.againMissingSentence}</Notice>;
  return <Notice meaning="warn" title={text.tooMany(mostSamples)}>{text.tooManySentence}</Notice>;
}

/** Shows what began. */
function useBegan(): (job: Job) => void {
  const noteJob = useNoteJob();
  const toast = useToast();
  const { openScan } = useNavigation();
  return (job) => {
    noteJob(job);
    openScan(job.id);
    toast({ meaning: 'ok', text: text.began(job.id) });
  };
}

/** The samples that are listed, one more than can be scanned at most. */
async function readListed(bridge: Bridge<File>, jobId: number, filter: ScanFilter): Promise<Result<string[]>> {
  const found: string[] = [];
  for (let offset = 0; found.length <= mostSamples; offset += atOnce) {
    const answer = await bridge.call('scans.groups', { jobId, by: 'file', filter, offset, limit: atOnce });
    if (!answer.ok) return answer;
    found.push(...answer.value.groups.flatMap((group) => (group.by === 'file' ? [group.sha256] : [])));
    if (offset + atOnce >= answer.value.total || answer.value.groups.length === 0) break;
  }
  return success([...new Set(found)]);
}
