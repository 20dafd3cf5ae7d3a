import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { KeyCap } from '../components/key-cap.tsx';
import aloud from '../styles/aloud.module.css';
import { classNames } from '../styles/class-names.ts';
import styles from './keys-dialog.module.css';
import { keyTablesOf, type KeyTable } from './keys.ts';
import { useNavigation } from './navigation.tsx';
import { text } from './text.ts';
import { useSettings } from './use-settings.ts';

/** As many lines as stand in one column at 800 CSS pixels. */
const mostInColumn = 20;

export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { values } = useSettings();
  const tables = keyTablesOf(useNavigation());
  const isLong = tables.reduce((sum, { rows }) => sum + rows.length, 0) > mostInColumn;
  return (
    <Dialog title={text.keysTitle} isOpen={isOpen} onClose={onClose} wide={isLong} actions={<Button onPress={onClose} takesFocus>{text.close}</Button>}>
      <div className={classNames(isLong && styles.columns)}>
        {tables.map(({ title, rows }) => <Keys key={title} title={title} rows={rows} />)}
      </div>
      {!values.singleLetterKeys && <p className={styles.off}>{text.keysOff}</p>}
    </Dialog>
  );
}

function Keys({ title, rows }: KeyTable) {
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{title}</h3>
      <dl className={styles.keys}>
        {rows.map(({ keys, does }) => (
          <div key={does} className={styles.row}>
            <dt>{does}</dt>
            <dd className={styles.key}><span className={aloud.only}>{keys}</span><KeyCap>{keys}</KeyCap></dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
