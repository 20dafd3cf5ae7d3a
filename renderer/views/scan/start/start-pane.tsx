import type { WorkspaceView } from '../../../../shared/domain/workspace.ts';
import { useScanDesk } from '../../../app/scans/scan-desk.tsx';
import { RefusedFiles } from '../../../app/uploads/refused-files.tsx';
import { useSendKey } from '../../../app/use-send-key.ts';
import { Button } from '../../../components/button.tsx';
import { ViewHead, ViewLine } from '../../../components/view-head.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
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
  const desk = useScanDesk();
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
      <RefusedFiles desk={desk} haltedAfter={text.haltedAfter} />
      <div className={classNames(layout.panes, styles.panes)}>
        <section className={classNames(layout.pane, styles.what)} data-pane aria-label={text.what}>
          <ChosenFiles workspaceId={workspace.id} />
          <VaultSamples workspaceId={workspace.id} />
        </section>
        <ScanWith scanning={scanning} />
        <HuntPane workspaceId={workspace.id} />
      </div>
    </>
  );
}
