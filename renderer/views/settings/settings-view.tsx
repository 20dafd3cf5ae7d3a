import { useMutationState } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { type Failure, readFailure } from '../../../shared/failure-kinds.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { type SettingsSection, settingsSections, useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection, ExportSection, KeyboardSection } from './general-sections.tsx';
import { RulesSection } from './rules-section.tsx';
import styles from './settings.module.css';
import { StorageSection } from './storage/storage-section.tsx';
import { text } from './strings.ts';
import { TokensSection } from './tokens-section.tsx';
import { DownloadsSection, ScansSection, UploadsSection } from './transfer-sections.tsx';
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
    <div ref={view} className={layout.fill} onKeyDown={onKeyDown}>
      <div className={classNames(layout.row, layout.top, styles.head)}>
        <h1>{text.title}</h1>
      </div>
      <div className={classNames(layout.panes, styles.panes)}>
        <nav className={styles.sections} aria-label={text.sectionList} data-pane>
          <ul>
            {settingsSections.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  {...(name === section ? { 'data-landing': true } : {})}
                  className={classNames(surface.bare, styles.sectionButton, name === section && styles.current)}
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
          <div className={classNames(layout.stack16, styles.column)}>
            <h2 className={typography.viewTitle}>{text.sections[section]}</h2>
            {failure && <FailureNotice failure={failure} />}
            {sections[section]()}
          </div>
        </div>
      </div>
    </div>
  );
}

/**
 * Why the last change of a setting was not taken, whichever section made it; null when it was, or when none was made
 * here.
 */
export function useFailedChange(): Failure | null {
  const [since] = useState(() => Date.now());
  const changes = useMutationState({ filters: { mutationKey: ['settings.change'] }, select: ({ state }) => state });
  const last = changes.at(-1);
  return last === undefined || last.submittedAt < since ? null : readFailure(last.error);
}
