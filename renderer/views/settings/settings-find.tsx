import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { focusDrawn } from '../../keyboard/focus.ts';
import { type SoughtSetting, useNavigation } from '../../state/navigation.tsx';
import { findSettings, settingEntries, type SettingPlace } from '../../state/settings-index.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text as storageText } from './storage/strings.ts';
import { text } from './strings.ts';
import { text as watchText } from './watch/strings.ts';

/** The sentences beside settings: they are searched, and shown below a found one. */
const help: Readonly<Partial<Record<SettingPlace, string>>> = {
  times: text.timesHint,
  whenClosed: text.whenClosedHint,
  notifications: text.notificationsThen,
  workspaces: text.workspacesSentence,
  timeouts: text.timeoutsHint,
  compatibility: text.dialectHint,
  backup: storageText.backupSentence,
  dataFolder: storageText.sentence,
  vaultCheck: storageText.checkSentence,
  cleanUp: storageText.cleanUpSentence,
  connections: text.connectionsHint,
  urlBytes: text.urlBytesHint,
  uploadFiles: text.uploadFilesHint,
  uploadMebibytes: text.uploadMebibytesHint,
  archiveLimits: text.archiveLimitsSentence,
  watch: watchText.sentence,
  scanEngine: text.scansSentence,
  scanSeconds: text.scanSecondsHint,
  scanMebibytes: text.scanMebibytesHint,
  scanMemory: text.scanMemoryHint,
  rules: text.rulesSentence,
  exportPassword: text.passwordHint,
  tokens: text.storesThen.memory,
  singleLetters: text.singleLettersThen,
  diagnostics: text.diagnosticsSentence,
  journal: text.journalSentence,
};

/** null: nothing is looked for. */
export const useFoundSettings = (find: string): readonly SettingPlace[] | null =>
  useMemo(() => (find.trim() === '' ? null : findSettings(find, text.sections, help)), [find]);

interface FoundSettingsProps {
  found: readonly SettingPlace[];
  list: RefObject<HTMLUListElement | null>;
  onChoose(place: SettingPlace): void;
}

/** What was found, with its section and its help: each leads to its place. */
export function FoundSettings({ found, list, onChoose }: FoundSettingsProps) {
  return (
    <>
      <p className={typography.sentence} role="status">
        {text.foundSettings(found.length)}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrows of what is inside */}
      <ul ref={list} className={styles.results} onKeyDown={moveAmong}>
        {found.map((place) => {
          const { section, label } = settingEntries[place];
          return (
            <li key={place}>
              <button
                type="button"
                className={classNames(surface.bare, layout.stack2, styles.result)}
                onClick={() => onChoose(place)}
              >
                <span className={layout.baseline8}>
                  <span className={styles.resultLabel}>{label}</span>
                  <span className={typography.hint}>{text.sections[section]}</span>
                </span>
                {help[place] !== undefined && <span className={typography.note}>{help[place]}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function moveAmong(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  event.preventDefault();
  buttons[at + step]?.focus();
}

/** A setting of each workspace that was looked for; null: none was. */
export function useSoughtInForm(): SoughtSetting | null {
  const { soughtSetting } = useNavigation();
  return soughtSetting !== null && inForm.has(soughtSetting.place) ? soughtSetting : null;
}

/** Each request has the focus here once. */
const shown = new WeakSet<SoughtSetting>();

/** Where a setting of each workspace is, when the form of none of them is shown. */
export function InWorkspaceForm() {
  const sought = useSoughtInForm();
  const here = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (here.current === null || sought === null || shown.has(sought)) return;
    shown.add(sought);
    focusDrawn(here.current);
  }, [sought]);
  if (sought === null) return null;
  return (
    <p ref={here} tabIndex={-1} className={typography.sentence} role="status">
      {text.inWorkspaceForm(settingEntries[sought.place].label)}
    </p>
  );
}

/** In the form of a workspace. */
const inForm: ReadonlySet<SettingPlace> = new Set<SettingPlace>([
  'trust',
  'proxy',
  'frontLogin',
  'clientCertificate',
  'timeouts',
  'compatibility',
]);
