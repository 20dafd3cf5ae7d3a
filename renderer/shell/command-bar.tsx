import { useOperation } from '../bridge/use-operation.ts';
import { text } from '../state/strings.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './command-bar.module.css';
import { CommandField } from './palette/palette-field.tsx';
import { RunningDownloads } from './running-downloads.tsx';
import { RunningJobs } from './running-jobs.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** Where the host draws its window controls over the page, the bar is what the window is dragged by. */
export function CommandBar() {
  const { data: host } = useOperation('host.describe', {});
  const drags = host?.capabilities.windowControls ?? false;
  return (
    <header className={classNames(styles.bar, drags && styles.drags)} data-pane aria-label={text.commandBar}>
      <div className={styles.workspace}>
        <WorkspaceSwitcher />
      </div>
      <div className={styles.command}>
        <CommandField />
      </div>
      <RunningJobs />
      <RunningDownloads />
    </header>
  );
}
