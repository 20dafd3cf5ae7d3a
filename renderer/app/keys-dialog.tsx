import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { KeyCap } from '../components/key-cap.tsx';
import styles from './keys-dialog.module.css';
import { globalKeys, lookupKeys, type KeyRow } from './keys.ts';
import { text } from './text.ts';
import { useSettings } from './use-settings.ts';

export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { values } = useSettings();
  return (
    <Dialog title={text.keysTitle} isOpen={isOpen} onClose={onClose} actions={<Button onPress={onClose} takesFocus>{text.close}</Button>}>
      <KeyTable title={text.keysGlobal} rows={globalKeys} />
      <KeyTable title={text.keysLookup} rows={lookupKeys} />
      {!values.singleLetterKeys && <p className={styles.off}>{text.keysOff}</p>}
    </Dialog>
  );
}

function KeyTable({ title, rows }: { title: string; rows: readonly KeyRow[] }) {
  return (
    <section>
      <h3 className={styles.heading}>{title}</h3>
      <dl className={styles.keys}>
        {rows.map(({ keys, does }) => (
          <div key={does} className={styles.row}>
            <dt>{does}</dt>
            <dd className={styles.key}><span className={styles.spoken}>{keys}</span><KeyCap>{keys}</KeyCap></dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
