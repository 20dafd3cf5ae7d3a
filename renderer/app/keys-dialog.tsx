import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { KeyCap } from '../components/key-cap.tsx';
import aloud from '../styles/aloud.module.css';
import { classNames } from '../styles/class-names.ts';
import styles from './keys-dialog.module.css';
import { bulkKeys, commentsKeys, globalKeys, jobKeys, lookupKeys, type KeyRow, mutesKeys, rulesKeys, scanResultsKeys, scanStartKeys, tableKeys, updatesKeys, uploadKeys } from './keys.ts';
import { useNavigation } from './navigation.tsx';
import type { RoomName } from './rooms.ts';
import { text } from './text.ts';
import { useSettings } from './use-settings.ts';

const hasJobs = (room: RoomName): boolean => room === 'bulk-download' || room === 'upload' || room === 'activity';

export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { values } = useSettings();
  const { room, publicationsTab, shownScan } = useNavigation();
  return (
    <Dialog title={text.keysTitle} isOpen={isOpen} onClose={onClose} wide={hasJobs(room)} actions={<Button onPress={onClose} takesFocus>{text.close}</Button>}>
      <div className={classNames(hasJobs(room) && styles.columns)}>
        <KeyTable title={text.keysGlobal} rows={globalKeys} />
        {room === 'lookup' && <KeyTable title={text.keysLookup} rows={lookupKeys} />}
        {room === 'bulk-download' && <KeyTable title={text.keysBulk} rows={bulkKeys} />}
        {room === 'upload' && <KeyTable title={text.keysUpload} rows={uploadKeys} />}
        {room === 'comments' && <KeyTable title={text.keysComments} rows={commentsKeys} />}
        {room === 'scan' && shownScan === null && <KeyTable title={text.keysScan} rows={scanStartKeys} />}
        {room === 'scan' && shownScan !== null && <KeyTable title={text.keysScanResults} rows={scanResultsKeys} />}
        {room === 'publications' && publicationsTab === 'updates' && <KeyTable title={text.keysUpdates} rows={updatesKeys} />}
        {room === 'publications' && publicationsTab === 'rules' && <KeyTable title={text.keysRules} rows={rulesKeys} />}
        {room === 'publications' && publicationsTab === 'mutes' && <KeyTable title={text.keysMutes} rows={mutesKeys} />}
        {hasJobs(room) && <KeyTable title={text.keysTable} rows={tableKeys} />}
        {hasJobs(room) && <KeyTable title={text.keysJob} rows={jobKeys} />}
      </div>
      {!values.singleLetterKeys && <p className={styles.off}>{text.keysOff}</p>}
    </Dialog>
  );
}

function KeyTable({ title, rows }: { title: string; rows: readonly KeyRow[] }) {
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
