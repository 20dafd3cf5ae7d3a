import { CornerDownRight } from 'lucide-react';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import { canBeSent } from './file-standing.ts';
import styles from './files-table.module.css';
import { text } from './text.ts';

/** Characters at the end of a name that stay in sight however narrow the column is: they say what the file would do. */
const tail = 8;
/** Shorter names are never cut. */
const shortestHead = 4;
const longestShown = 200;

/** The name, a member below its archive, and in quiet words where it was and what it is. */
export function FileNameCell({ file }: { file: UploadFile }) {
  const { name, path, mime, parentId, archive } = file;
  const members = archive?.state === 'open' ? text.members(archive.members) : null;
  const aside = [members, path, mime].filter((part) => part !== null && part !== '').join(' · ');
  return (
    <span className={classNames(styles.file, !canBeSent(file) && styles.aside)} title={visibleText(path === '' ? name : `${name}\n${path}`)}>
      <span className={styles.named}>
        {parentId !== null && <CornerDownRight className={styles.member} size={12} strokeWidth={1.6} aria-hidden="true" />}
        {parentId !== null && <span className={aloud.only}>{text.memberOf}</span>}
        <CutName name={name} />
      </span>
      {aside !== '' && <bdi className={styles.facts}>{visibleText(aside)}</bdi>}
    </span>
  );
}

/** Cut in the middle by the room there is. Its ending stays at the right whatever script it begins with. */
function CutName({ name }: { name: string }) {
  const characters = [...name];
  const shown = characters.length > longestShown ? [...characters.slice(0, longestShown - tail), '…', ...characters.slice(-tail)] : characters;
  if (shown.length <= tail + shortestHead) return <bdi dir="ltr" className={styles.name}><span className={styles.nameHead}>{visibleText(name)}</span></bdi>;
  return (
    <>
      {/* Two pieces beside each other would be read as two words. */}
      <bdi dir="ltr" className={aloud.only}>{visibleText(shown.join(''))}</bdi>
      <bdi dir="ltr" className={styles.name} aria-hidden="true">
        <span className={styles.nameHead}>{visibleText(shown.slice(0, -tail).join(''))}</span>
        <span className={styles.nameTail}>{visibleText(shown.slice(-tail).join(''))}</span>
      </bdi>
    </>
  );
}
