import { CornerDownRight, TriangleAlert } from 'lucide-react';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { CutName } from '../../components/cut-name.tsx';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { canBeSent, oddityOf } from './file-standing.ts';
import styles from './files-table.module.css';
import { text } from './text.ts';

/** The name, a member below its archive, what is unusual about it, and in quiet words where it was and what it is. */
export function FileNameCell({ file }: { file: UploadFile }) {
  const { name, path, mime, parentId, archive } = file;
  const members = archive?.state === 'open' ? text.members(archive.members) : null;
  const oddity = oddityOf(file);
  const aside = [members, path, mime].filter((part) => part !== null && part !== '').join(' · ');
  return (
    <span
      className={classNames(layout.wrap, styles.file, !canBeSent(file) && styles.aside)}
      title={visibleText([name, path, oddity ?? ''].filter((line) => line !== '').join('\n'))}
    >
      <span className={classNames(layout.row4, styles.named)}>
        {parentId !== null && (
          <CornerDownRight className={styles.member} size={12} strokeWidth={1.6} aria-hidden="true" />
        )}
        {parentId !== null && <span className={aloud.only}>{text.memberOf}</span>}
        <CutName name={name} />
        {oddity !== null && (
          <TriangleAlert
            className={classNames(layout.fixed, typography.warn)}
            size={12}
            strokeWidth={1.6}
            aria-hidden="true"
          />
        )}
      </span>
      {oddity !== null && (
        <span className={classNames(typography.cut, styles.oddity)} data-gives-way>
          <bdi>{visibleText(oddity)}</bdi>
        </span>
      )}
      {aside !== '' && (
        <bdi className={classNames(typography.cut, styles.facts)} data-gives-way>
          {visibleText(aside)}
        </bdi>
      )}
    </span>
  );
}
