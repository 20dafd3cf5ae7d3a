import { useRef, useState } from 'react';
import { everyKeyTable } from '../../app/keys.ts';
import { useSettings } from '../../app/use-settings.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { FindField } from '../../components/find-field.tsx';
import { KeyTable } from '../../components/key-table.tsx';
import typography from '../../styles/typography.module.css';
import { keysFound } from './keys-found.ts';
import styles from './settings.module.css';
import { text } from './text.ts';

export function KeyboardSection() {
  const { values, change } = useSettings();
  return (
    <>
      <Checkbox isSelected={values.singleLetterKeys} onChange={(singleLetterKeys) => change({ singleLetterKeys })}>
        {text.singleLetters}
      </Checkbox>
      <p className={typography.sentence}>{text.singleLettersThen}</p>
      <KeyList />
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
      <FindField label={text.findKeys} value={find} onChange={setFind} onDown={() => list.current?.focus()} />
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
