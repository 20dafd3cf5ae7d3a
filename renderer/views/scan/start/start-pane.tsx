import { FileUp, FolderUp, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { StagedFile } from '../../../../shared/domain/upload.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../../../shared/domain/workspace.ts';
import { useAction } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { cutMiddle, formatNumber, formatSize } from '../../../components/format.ts';
import { KeyCap } from '../../../components/key-cap.tsx';
import { Menu } from '../../../components/menu.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SampleName } from '../../../components/service-text.tsx';
import { ViewHead, ViewLine } from '../../../components/view-head.tsx';
import { mostFiles, useNextScan, useScanStore } from '../../../features/scans/scan-store.tsx';
import { RefusedFiles } from '../../../features/uploads/intake-store.tsx';
import { useSendKey } from '../../../keyboard/view-keys.ts';
import { FailureRemedy } from '../../../state/failure-remedy.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { useSettings } from '../../../state/settings.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { HuntPane } from './hunt-pane.tsx';
import { ScanWith, useScanning } from './scan-with.tsx';
import styles from './start.module.css';
import { text } from './strings.ts';
import { VaultSamples } from './vault-samples.tsx';

/** What is to be scanned and by whom, the hunt through the vault, and what was scanned before. */
export function StartPane({ workspace }: { workspace: WorkspaceView }) {
  const host = useScanStore();
  const scanning = useScanning(workspace.id);
  useSendKey(scanning.scan);
  return (
    <>
      <ViewHead title={text.title} isLanding>
        <ViewLine role="status">
          {host.intake === null ? text.line : text.adding(host.intake.added, host.intake.found, host.intake.isWalking)}
        </ViewLine>
        {host.intake !== null && (
          <Button size="small" onPress={host.stop}>
            {text.stop}
          </Button>
        )}
        <AddFiles />
      </ViewHead>
      <RefusedFiles store={host} haltedAfter={text.haltedAfter} />
      {scanning.plan?.package === null && <NoRules workspace={workspace} />}
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

/** The way to the rules, without which nothing is scanned here. */
function NoRules({ workspace }: { workspace: WorkspaceView }) {
  const { openPublications } = useNavigation();
  const { mutate, isPending, error } = useAction('publications.check');
  const { id: workspaceId, ruleEditor } = workspace;
  const fetch = (): void => mutate({ workspaceId }, { onSuccess: () => openPublications('updates') });
  const hasEditor = ruleEditor !== null;
  return (
    <div className={classNames(layout.insetLine, layout.fixed, layout.stack8)}>
      <Notice
        meaning="info"
        title={text.noRulesTitle}
        actions={
          <>
            {hasEditor && (
              <Button size="small" isPending={isPending} onPress={fetch}>
                {text.fetchRules(visibleText(cutMiddle(workspace.name, longestWorkspace)))}
              </Button>
            )}
            <Button size="small" onPress={() => openPublications('updates')}>
              {text.openPublications}
            </Button>
          </>
        }
      >
        {hasEditor ? text.noRulesThen : text.noRulesOffline}
      </Notice>
      {error !== null && (
        <FailureNotice
          failure={error}
          retry={{ name: 'publications.check', input: { workspaceId } }}
          onRetry={fetch}
          action={<FailureRemedy failure={error} />}
        />
      )}
    </div>
  );
}

const longestWorkspace = 32;
const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** A browser picks files or a folder, never both at once. */
function AddFiles() {
  const { pickFiles, pickFolder } = useScanStore();
  return (
    <Menu
      label={text.addMenu}
      choices={[
        { id: 'files', text: text.pickFiles, icon: <FileUp {...icon} /> },
        { id: 'folder', text: text.pickFolder, icon: <FolderUp {...icon} /> },
      ]}
      onChoose={(id) => (id === 'folder' ? pickFolder() : pickFiles())}
      trigger={
        <Button>
          <Plus {...icon} />
          {text.addFiles}
        </Button>
      }
    />
  );
}

const rowHeight = 28;
/** Visible rows at most: the samples below need the space. */
const mostRows = 6;
const columns: readonly GridColumn<StagedFile>[] = [
  {
    id: 'name',
    title: text.columns.name,
    width: { flex: 1, min: 120 },
    isRowHeader: true,
    cell: ({ name }) => (
      <span className={typography.ellipsis}>
        <SampleName name={name} />
      </span>
    ),
  },
  { id: 'size', title: text.columns.size, width: 88, align: 'end', cell: ({ sizeBytes }) => formatNumber(sizeBytes) },
];

/** The files that the host has, in the order they came. Del takes the current one out. */
function ChosenFiles({ workspaceId }: { workspaceId: string }) {
  const { next } = useScanStore();
  const [{ files }, note] = useNextScan(workspaceId);
  const { values } = useSettings();
  const [current, setCurrent] = useState<string | null>(null);
  const chosen = files.find(({ id }) => id === current) ?? null;
  const remove = (): void => {
    if (chosen === null) return;
    // The one after it is the next to go, or the last one.
    const at = files.indexOf(chosen);
    setCurrent((files[at + 1] ?? files[at - 1])?.id ?? null);
    next.removeFile(workspaceId, chosen.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete') return;
    event.preventDefault();
    // A key that is held is meant once.
    if (!event.repeat) remove();
  };
  if (files.length === 0) return <p className={classNames(layout.insetLine, typography.note)}>{text.noFiles}</p>;
  const size = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <>
      <div className={classNames(layout.row8, layout.top, styles.paneHead)}>
        <h2 className={classNames(layout.fixed, typography.title)}>{text.filesLine(files.length, formatSize(size))}</h2>
        <span className={classNames(typography.cutNote, layout.grow)}>
          {files.length === mostFiles && text.filesSpace(mostFiles)}
        </span>
        <Button size="small" isDisabled={chosen === null} onPress={remove}>
          {text.removeFile}
          <KeyCap>{text.removeKey}</KeyCap>
        </Button>
        <Button size="small" look="quiet" onPress={() => note({ files: [] })}>
          {text.removeAll}
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of its rows */}
      <div
        className={classNames(layout.stack, styles.files)}
        style={{ height: rowHeight * Math.min(mostRows, files.length) }}
        onKeyDown={onKeyDown}
      >
        <DataGrid
          label={text.files}
          columns={columns}
          count={files.length}
          rowAt={(index) => files[index]}
          keyOf={({ id }) => id}
          currentKey={chosen?.id ?? null}
          onCurrent={({ id }) => setCurrent(id)}
          letters={values.singleLetterKeys}
          rowHeight={rowHeight}
          hasHead={false}
        />
      </div>
    </>
  );
}
