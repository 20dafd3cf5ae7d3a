import type { WorkspaceView } from '../../../../shared/domain/workspace.ts';
import { Button } from '../../../components/button.tsx';
import { ViewHead, ViewLine } from '../../../components/view-head.tsx';
import { useScanStore } from '../../../features/scans/scan-store.tsx';
import { RefusedFiles } from '../../../features/uploads/intake-store.tsx';
import { useSendKey } from '../../../keyboard/view-keys.ts';
import { AddFiles } from './add-files.tsx';
import { ChosenFiles } from './chosen-files.tsx';
import { HuntPane } from './hunt-pane.tsx';
import { ScanWith } from './scan-with.tsx';
import styles from './start.module.css';
import { text } from './text.ts';
import { useScanning } from './use-scanning.ts';
import { VaultSamples } from './vault-samples.tsx';

/** What is to be scanned and by whom, the hunt through the vault, and what was scanned before. */
export function StartPane({ workspace }: { workspace: WorkspaceView }) {
  const desk = useScanStore();
  const scanning = useScanning(workspace.id);
  useSendKey(scanning.scan);
  return (
    <>
      <ViewHead title={text.title} isLanding>
        <ViewLine role="status">
          {desk.intake === null ? text.line : text.adding(desk.intake.added, desk.intake.found, desk.intake.isWalking)}
        </ViewLine>
        {desk.intake !== null && (
          <Button size="small" onPress={desk.stop}>
            {text.stop}
          </Button>
        )}
        <AddFiles />
      </ViewHead>
      <RefusedFiles store={desk} haltedAfter={text.haltedAfter} />
      <div className={styles.panes}>
        <section className={styles.what} data-pane aria-label={text.what}>
          <ChosenFiles workspaceId={workspace.id} />
          <VaultSamples workspaceId={workspace.id} />
        </section>
        <ScanWith scanning={scanning} />
        <HuntPane workspaceId={workspace.id} />
      </div>
    </>
  );
}
