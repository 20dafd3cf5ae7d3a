import {
  Archive,
  Building2,
  ChevronsUpDown,
  Download,
  FileArchive,
  FilePlus,
  FileText,
  FlaskConical,
  ListChecks,
  type LucideIcon,
  PackageOpen,
  Plus,
  ScanSearch,
  ShieldCheck,
  Tags,
  TriangleAlert,
  Upload,
} from 'lucide-react';
import { memo } from 'react';
import { Button } from 'react-aria-components/Button';
import type { Job, JobKind } from '../../shared/domain/job.ts';
import { type Download as RunningDownload, isRunningDownload } from '../../shared/domain/sample.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../shared/domain/workspace.ts';
import { useOperation } from '../bridge/operations.ts';
import { formatDuration } from '../components/format.ts';
import { jobShare } from '../components/jobs/job-format.ts';
import { Menu, type MenuChoice } from '../components/menu.tsx';
import { useRising } from '../components/progress-line.tsx';
import { useLookupStore } from '../features/lookup/lookup-store.tsx';
import { useDownloads } from '../state/downloads.tsx';
import { isHalted, isRunning, useJobs } from '../state/jobs.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useLatest } from '../state/presence.ts';
import { useSwitchWorkspace, useWorkspaces } from '../state/workspaces.tsx';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './command-bar.module.css';
import { CommandField } from './palette/palette-field.tsx';
import { text } from './strings.ts';

/** Where the host draws its window controls over the page, the bar is what the window is dragged by. */
export function CommandBar() {
  const { data: host } = useOperation('host.describe', {});
  const drags = host?.capabilities.windowControls ?? false;
  return (
    <header className={classNames(styles.bar, drags && styles.drags)} data-pane aria-label={text.commandBar}>
      <div className={styles.workspace}>
        <WorkspaceSwitcher />
      </div>
      <div className={classNames(layout.row, layout.widest, styles.command)}>
        <CommandField />
      </div>
      <RunningJobs />
      <RunningDownloads />
    </header>
  );
}

const icons: Record<JobKind, LucideIcon> = {
  'bulk-download': Download,
  triage: ListChecks,
  export: FileArchive,
  upload: Upload,
  scan: ScanSearch,
  hunt: ScanSearch,
  'vault-check': ShieldCheck,
  'library-add': FilePlus,
  'library-change': Tags,
  'case-export': FileText,
  bundle: PackageOpen,
  'bundle-import': PackageOpen,
  backup: Archive,
};

/** How many jobs run, the progress of the newest, which ones halted by themselves, and a link to each. */
function RunningJobs() {
  const jobs = useJobs();
  return (
    <>
      <Halted jobs={jobs.filter(isHalted)} />
      <Running jobs={jobs.filter(isRunning)} />
    </>
  );
}

function Halted({ jobs }: { jobs: readonly Job[] }) {
  const { openJob } = useNavigation();
  const [newest] = jobs;
  if (!newest) return null;
  return (
    <Button className={classNames(styles.running, styles.halted)} onPress={() => openJob(newest.id)} data-figures>
      <TriangleAlert size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={classNames(typography.name, styles.count)}>{text.halted(jobs.length)}</span>
    </Button>
  );
}

function Running({ jobs }: { jobs: readonly Job[] }) {
  const [newest] = jobs;
  return newest === undefined ? null : <NewestRunning key={newest.id} newest={newest} jobs={jobs} />;
}

function NewestRunning({ newest, jobs }: { newest: Job; jobs: readonly Job[] }) {
  const { openJob } = useNavigation();
  const share = useRising(jobShare(newest));
  const Icon = icons[newest.task.kind];
  return (
    <Button className={styles.running ?? ''} onPress={() => openJob(newest.id)} data-figures>
      <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={classNames(typography.name, styles.count)}>{text.jobs(jobs.length)}</span>
      {jobs.length === 1 && (
        <span>
          {share !== null && text.percent(share)}
          {newest.secondsLeft !== null && `, ${text.left(formatDuration(newest.secondsLeft))}`}
        </span>
      )}
    </Button>
  );
}

/** How many downloads run, how far they are, and the way to the newest one. */
function RunningDownloads() {
  const running = useDownloads().filter(isRunningDownload);
  const { current } = useWorkspaces();
  const { lookUpText, state } = useLookupStore();
  const { openView } = useNavigation();
  const newest = running.at(-1);
  if (!newest) return null;
  const show = (): void => {
    openView('lookup');
    const isShown = state.kind === 'found' && state.result.asked === newest.md5;
    if (!isShown && newest.workspaceId === current?.id) lookUpText(newest.md5);
  };
  const { share, secondsLeft } = progressOf(running);
  return (
    <Button className={styles.running ?? ''} onPress={show} data-figures>
      <Download size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={classNames(typography.name, styles.count)}>{text.downloads(running.length)}</span>
      {/* Others of the downloads are another whole. */}
      <DownloadShare key={running.map(({ id }) => id).join(' ')} share={share} />
      {secondsLeft !== null && <span>{text.left(formatDuration(secondsLeft))}</span>}
    </Button>
  );
}

function DownloadShare({ share }: { share: number | null }) {
  const shown = useRising(share);
  return shown === null ? null : <span>{text.percent(shown)}</span>;
}

/** Over all of them, 100 never while one runs; null while one of them has not said how large it is. */
function progressOf(downloads: readonly RunningDownload[]): { share: number | null; secondsLeft: number | null } {
  const sum = (pick: (download: RunningDownload) => number): number =>
    downloads.reduce((total, download) => total + pick(download), 0);
  const total = sum(({ totalBytes }) => totalBytes ?? Number.NaN);
  if (!(total > 0)) return { share: null, secondsLeft: null };
  const received = sum(({ receivedBytes }) => receivedBytes);
  const rate = sum(({ bytesPerSecond }) => bytesPerSecond);
  return {
    share: Math.min(99, Math.floor((received / total) * 100)),
    secondsLeft: rate > 0 ? (total - received) / rate : null,
  };
}

const manage = '+';

function WorkspaceSwitcher() {
  const { workspaces, current } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  const { openSettings } = useNavigation();
  const choose = useLatest((id: string): void => {
    if (id === manage) return openSettings('workspaces');
    if (id !== current?.id) void switchTo(id);
    return undefined;
  });
  return <WorkspaceMenu workspaces={workspaces} current={current} onChoose={choose} />;
}

interface WorkspaceMenuProps {
  workspaces: readonly WorkspaceView[];
  current: WorkspaceView | null;
  onChoose(id: string): void;
}

/** Going from view to view draws it no more. */
const WorkspaceMenu = memo(function WorkspaceMenu({ workspaces, current, onChoose }: WorkspaceMenuProps) {
  const name = current === null ? text.product : visibleText(current.name);
  const choices: MenuChoice[] = workspaces.map((workspace) => ({
    id: workspace.id,
    text: visibleText(workspace.name),
    icon: workspace.builtIn ? <FlaskConical size={16} strokeWidth={1.6} /> : <Building2 size={16} strokeWidth={1.6} />,
    ...(workspace.id === current?.id ? { aside: text.current } : {}),
  }));
  const Mark = current?.builtIn === false ? Building2 : FlaskConical;
  return (
    <Menu
      label={text.switchTo}
      choices={[...choices, { id: manage, text: text.manageWorkspaces, icon: <Plus size={16} strokeWidth={1.6} /> }]}
      onChoose={onChoose}
      trigger={
        <Button className={styles.switcher ?? ''} aria-label={`${text.workspace}: ${name}`}>
          <Mark className={styles.mark} size={16} strokeWidth={1.6} aria-hidden="true" />
          <span className={classNames(typography.cut, layout.grow)}>
            <bdi>{name}</bdi>
          </span>
          <ChevronsUpDown size={14} strokeWidth={1.6} aria-hidden="true" />
        </Button>
      }
    />
  );
});
