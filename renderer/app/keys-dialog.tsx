import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { KeyTable } from '../components/key-cap.tsx';
import { classNames } from '../styles/class-names.ts';
import styles from './keys-dialog.module.css';
import { keyTablesOf } from './keys.ts';
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
    <Dialog
      title={text.keysTitle}
      isOpen={isOpen}
      onClose={onClose}
      wide={isLong}
      actions={
        <Button onPress={onClose} takesFocus>
          {text.close}
        </Button>
      }
    >
      <div className={classNames(isLong && styles.columns)}>
        {tables.map(({ title, rows }) => (
          <KeyTable key={title} title={title} rows={rows} />
        ))}
      </div>
      {!values.singleLetterKeys && <p className={styles.off}>{text.keysOff}</p>}
    </Dialog>
  );
}
