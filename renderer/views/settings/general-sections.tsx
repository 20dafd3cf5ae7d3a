import { useRef, useState } from 'react';
import { timeDisplay, type TimeDisplay } from '../../../shared/domain/settings.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { formatMinuteIn } from '../../components/format.ts';
import { FindField } from '../../components/find-field.tsx';
import { type KeyRows, KeyTable } from '../../components/key-cap.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { everyKeyTable } from '../../keyboard/keys.ts';
import { showTheme, showTimes, useSettings } from '../../state/settings.ts';
import typography from '../../styles/typography.module.css';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';
import { text } from './strings.ts';

const themes = [
  { value: 'system', text: text.themes.system },
  { value: 'light', text: text.themes.light },
  { value: 'dark', text: text.themes.dark },
] as const;

const closings = [
  { value: 'ask', text: text.whenClosedChoices.ask },
  { value: 'tray', text: text.whenClosedChoices.tray },
  { value: 'quit', text: text.whenClosedChoices.quit },
] as const;

export function AppearanceSection() {
  const { values, change } = useSettings();
  const choose = (theme: (typeof themes)[number]['value']): void => {
    showTheme(theme);
    change({ theme });
  };
  return (
    <>
      <Setting place="theme">
        <RadioChoice label={text.theme} value={values.theme} options={themes} onChange={choose} />
      </Setting>
      <Times />
      <WhenClosed />
      <Notifications />
    </>
  );
}

function Times() {
  const { values, change } = useSettings();
  const choose = (times: TimeDisplay): void => {
    showTimes(times);
    change({ times });
  };
  const [now] = useState(() => new Date());
  const options = timeDisplay.options.map((value) => ({
    value,
    text: text.timesOptions[value](formatMinuteIn(now, value)),
  }));
  return (
    <Setting place="times">
      <RadioChoice label={text.times} value={values.times} options={options} onChange={choose} hint={text.timesHint} />
    </Setting>
  );
}

function WhenClosed() {
  const { values, change } = useSettings();
  const { data: host } = useOperation('host.describe', {});
  if (host?.capabilities.staysInTray !== true) return null;
  return (
    <Setting place="whenClosed">
      <RadioChoice
        label={text.whenClosed}
        value={values.whenClosed}
        options={closings}
        onChange={(whenClosed) => change({ whenClosed })}
        hint={text.whenClosedHint}
      />
    </Setting>
  );
}

function Notifications() {
  const { values, change } = useSettings();
  const { data: host } = useOperation('host.describe', {});
  if (host?.capabilities.notifications !== true) return null;
  return (
    <Setting place="notifications">
      <Checkbox isSelected={values.notifications} onChange={(notifications) => change({ notifications })}>
        {text.notifications}
      </Checkbox>
      <p className={typography.sentence}>{text.notificationsThen}</p>
    </Setting>
  );
}

const encryptions = [
  { value: 'aes-256', text: text.aes },
  { value: 'zipcrypto', text: text.zipcrypto },
] as const;

export function ExportSection() {
  const { values, change, isKnown } = useSettings();
  return (
    <>
      <p className={typography.sentence}>{text.exportSentence}</p>
      <Setting place="exportEncryption">
        <RadioChoice
          label={text.encryption}
          value={values.exportEncryption}
          options={encryptions}
          onChange={(exportEncryption) => change({ exportEncryption })}
        />
      </Setting>
      {isKnown && (
        <Setting place="exportPassword">
          <PasswordField stored={values.exportPassword} onSave={(exportPassword) => change({ exportPassword })} />
        </Setting>
      )}
    </>
  );
}

/** Saved when the field is left, as long as it is a password. */
function PasswordField({ stored, onSave }: { stored: string; onSave(password: string): void }) {
  const [typed, setTyped] = useState(stored);
  const saveChanged = useChangedValue(stored, onSave);
  const save = (): void => {
    if (typed !== '') saveChanged(typed);
  };
  return (
    <TextField
      label={text.password}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onEnter={save}
      hint={text.passwordHint}
      problem={typed === '' ? text.passwordProblem : null}
      maxLength={128}
      autoComplete="off"
      mono
    />
  );
}

export function KeyboardSection() {
  const { values, change } = useSettings();
  return (
    <>
      <Setting place="singleLetters">
        <Checkbox isSelected={values.singleLetterKeys} onChange={(singleLetterKeys) => change({ singleLetterKeys })}>
          {text.singleLetters}
        </Checkbox>
        <p className={typography.sentence}>{text.singleLettersThen}</p>
      </Setting>
      <Setting place="shortcuts">
        <KeyList />
      </Setting>
    </>
  );
}

/** Every key of every place. */
function KeyList() {
  const [find, setFind] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const found = keysFound(everyKeyTable, find);
  return (
    <div className={styles.keyList}>
      <FindField label={text.findKeys} value={find} onChange={setFind} onDown={() => list.current?.focus()} hasNoKey />
      <div ref={list} className={styles.keys} tabIndex={-1}>
        {found.map(({ title, rows }) => (
          <KeyTable key={title} title={title} rows={rows} />
        ))}
      </div>
      <p className={typography.sentence} role="status">
        {found.length === 0 && text.noKeys}
      </p>
    </div>
  );
}

/**
 * The rows that contain every word: as the key itself, or in its action or place. Tables without a row are left out.
 */
export function keysFound(tables: readonly KeyRows[], find: string): KeyRows[] {
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return tables
    .map(({ title, rows }) => ({
      title,
      rows: rows.filter(({ keys, does }) =>
        words.every((word) => hasKey(keys, word) || `${title} ${does}`.toLowerCase().includes(word)),
      ),
    }))
    .filter(({ rows }) => rows.length > 0);
}

/** A letter is looked for as a key and not as a part of one: `e` is not in `Enter`. */
const hasKey = (keys: string, word: string): boolean => keys.toLowerCase().split(/[ ,]+/).includes(word);

/** Saves a value that is not stored, and the stored one too where another was asked for and is on its way. */
export function useChangedValue<Value>(stored: Value, onSave: (value: Value) => void): (value: Value) => void {
  const asked = useRef<Value | null>(null);
  return (value) => {
    if (value === stored && (asked.current === null || asked.current === value)) return;
    asked.current = value;
    onSave(value);
  };
}
