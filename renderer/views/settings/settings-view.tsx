import { type ReactNode, useRef } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { type SettingsSection, settingsSections, useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { classNames } from '../../styles/class-names.ts';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { DownloadsSection } from './downloads-section.tsx';
import { ExportSection } from './export-section.tsx';
import { KeyboardSection } from './keyboard-section.tsx';
import { RulesSection } from './rules-section.tsx';
import { ScansSection } from './scans-section.tsx';
import styles from './settings.module.css';
import { StorageSection } from './storage/storage-section.tsx';
import { text } from './text.ts';
import { TokensSection } from './tokens-section.tsx';
import { UploadsSection } from './uploads-section.tsx';
import { useFailedChange } from './use-failed-change.ts';
import { WatchSection } from './watch/watch-section.tsx';
import { WorkspacesSection } from './workspaces-section.tsx';

const sections: Record<SettingsSection, () => ReactNode> = {
  appearance: () => <AppearanceSection />,
  workspaces: () => <WorkspacesSection />,
  storage: () => <StorageSection />,
  downloads: () => <DownloadsSection />,
  uploads: () => <UploadsSection />,
  watch: () => <WatchSection />,
  scans: () => <ScansSection />,
  rules: () => <RulesSection />,
  export: () => <ExportSection />,
  tokens: () => <TokensSection />,
  keyboard: () => <KeyboardSection />,
  about: () => <AboutSection />,
};

export function SettingsView() {
  const { section, openSettings } = useNavigation();
  const { failure: notRead } = useSettings();
  const notChanged = useFailedChange();
  const failure = notChanged ?? notRead;
  const view = useRef<HTMLDivElement>(null);
  const onKeyDown = useLetterButtons(view);
  useKeptFocus(view);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={styles.view} onKeyDown={onKeyDown}>
      <div className={styles.head}>
        <h1>{text.title}</h1>
      </div>
      <div className={styles.panes}>
        <nav className={styles.sections} aria-label={text.sectionList} data-pane>
          <ul>
            {settingsSections.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  {...(name === section ? { 'data-landing': true } : {})}
                  className={classNames(styles.sectionButton, name === section && styles.current)}
                  aria-current={name === section ? 'page' : undefined}
                  onClick={() => openSettings(name)}
                >
                  {text.sections[name]}
                </button>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.content} data-pane>
          <div className={styles.column}>
            <h2 className={styles.title}>{text.sections[section]}</h2>
            {failure && <FailureNotice failure={failure} />}
            {sections[section]()}
          </div>
        </div>
      </div>
    </div>
  );
}
