import { useMutationState } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { type Failure, readFailure } from '../../../shared/failure-kinds.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FindField } from '../../components/find-field.tsx';
import { focusIn } from '../../components/focus-in.ts';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { type SettingsSection, settingsSections, useNavigation } from '../../state/navigation.tsx';
import { settingEntries, type SettingPlace } from '../../state/settings-index.ts';
import { useSettings } from '../../state/settings.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection, ExportSection, KeyboardSection } from './general-sections.tsx';
import { RulesSection } from './rules-section.tsx';
import { FoundSettings, useFoundSettings } from './settings-find.tsx';
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
  const [find, setFind] = useState('');
  const found = useFoundSettings(find);
  const view = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const onLetter = useLetterButtons(view);
  useKeptFocus(view);
  const choose = (place: SettingPlace): void => {
    setFind('');
    openSettings(settingEntries[place].section, place);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const isInField = event.target instanceof HTMLInputElement && event.target.matches('[data-query]');
    const [first] = found ?? [];
    if (event.key === 'Enter' && isInField && first !== undefined) {
      // It would press what has the focus by then, or send its form.
      event.preventDefault();
      choose(first);
    } else if (
      event.key === 'Escape' &&
      !event.defaultPrevented &&
      event.target instanceof Node &&
      list.current?.contains(event.target) === true
    ) {
      setFind('');
      focusIn(view.current, '[data-query]');
    } else onLetter(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={layout.fill} onKeyDown={onKeyDown}>
      <div className={classNames(layout.row, layout.top, styles.head)}>
        <h1>{text.title}</h1>
        <FindField
          label={text.find}
          value={find}
          onChange={setFind}
          onDown={() => list.current?.querySelector('button')?.focus()}
        />
      </div>
      <div className={classNames(layout.panes, styles.panes)}>
        <SectionList
          found={found}
          onOpen={(name) => {
            setFind('');
            openSettings(name);
          }}
        />
        <div className={styles.content} data-pane>
          <div className={classNames(layout.stack16, styles.column)}>
            <h2 className={typography.viewTitle}>{found === null ? text.sections[section] : text.foundTitle}</h2>
            {failure && <FailureNotice failure={failure} />}
            {found === null ? sections[section]() : <FoundSettings found={found} list={list} onChoose={choose} />}
          </div>
        </div>
      </div>
    </div>
  );
}

interface SectionListProps {
  /** What is looked for: sections without any of it are fainter. null: nothing is. */
  found: readonly SettingPlace[] | null;
  onOpen(section: SettingsSection): void;
}

function SectionList({ found, onOpen }: SectionListProps) {
  const { section } = useNavigation();
  const has = (name: SettingsSection): boolean =>
    found === null || found.some((place) => settingEntries[place].section === name);
  return (
    <nav className={styles.sections} aria-label={text.sectionList} data-pane>
      <ul>
        {settingsSections.map((name) => {
          const isCurrent = found === null && name === section;
          return (
            <li key={name}>
              <button
                type="button"
                {...(name === section ? { 'data-landing': true } : {})}
                className={classNames(
                  surface.bare,
                  styles.sectionButton,
                  isCurrent && styles.current,
                  !has(name) && styles.without,
                )}
                aria-current={isCurrent ? 'page' : undefined}
                onClick={() => onOpen(name)}
              >
                {text.sections[name]}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
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
