import { FilePlus, FolderUp, Upload, X } from 'lucide-react';
import { useRef } from 'react';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { formatSize } from '../../../components/format.ts';
import { Notice } from '../../../components/notice.tsx';
import type { PublishFile } from '../../../features/publications/publications-place.tsx';
import { FilePicker } from '../../../features/uploads/intake-store.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import type { PublishFiles } from './publish-files.ts';
import styles from './publish.module.css';
import { text } from './strings.ts';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;
const refusedShown = 20;

/** What will be published, by its path in the package. */
export function FileList({
  given: { files, isTaking, refused, leftOut, take, remove, clear },
}: {
  given: PublishFiles;
}) {
  const picker = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const isEmpty = files.length === 0 && !isTaking;
  const add = (
    <>
      <Button
        size={isEmpty ? 'normal' : 'small'}
        look={isEmpty ? 'primary' : 'default'}
        data-landing
        onPress={() => picker.current?.click()}
      >
        <FilePlus {...icon} />
        {text.addFiles}
      </Button>
      <Button size={isEmpty ? 'normal' : 'small'} onPress={() => folder.current?.click()}>
        <FolderUp {...icon} />
        {text.addFolder}
      </Button>
    </>
  );
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <div className={layout.grow}>
      <div className={classNames(layout.row8, styles.filesHead, isEmpty && styles.noFiles)}>
        <p className={classNames(typography.note, layout.grow)} role="status" data-figures>
          {isTaking ? text.taking : files.length > 0 && text.files(files.length, formatSize(bytes))}
        </p>
        {files.length > 0 && (
          <Button size="small" look="quiet" onPress={clear}>
            {text.removeAll}
          </Button>
        )}
        {!isEmpty && add}
      </div>
      <NotTaken refused={refused} leftOut={leftOut} />
      {isEmpty && (
        <EmptyState
          icon={<Upload size={20} strokeWidth={1.6} />}
          title={text.emptyTitle}
          sentence={text.emptySentence}
          action={<div className={layout.flex8}>{add}</div>}
        />
      )}
      <ul aria-label={text.fileList}>
        {files.map((file) => (
          <FileLine key={file.path} file={file} onRemove={remove} />
        ))}
      </ul>
      <FilePicker ref={picker} of="files" onPick={take} />
      <FilePicker ref={folder} of="folder" onPick={take} />
    </div>
  );
}

/** Files that could not be read, and files that do not belong in a package. */
function NotTaken({ refused, leftOut }: Pick<PublishFiles, 'refused' | 'leftOut'>) {
  return (
    <>
      {refused.length > 0 && (
        <div className={styles.reported}>
          <Notice meaning="bad" title={text.refused(refused.length)}>
            {refused
              .slice(0, refusedShown)
              .map(({ name, failure }) => `${visibleText(name)}: ${describeFailure(failure).what}`)
              .join('; ')}
          </Notice>
        </div>
      )}
      {leftOut > 0 && (
        <div className={styles.reported}>
          <Notice meaning="info" title={text.leftOut(leftOut)}>
            {text.leftOutThen}
          </Notice>
        </div>
      )}
    </>
  );
}

function FileLine({ file: { path, sizeBytes }, onRemove }: { file: PublishFile; onRemove(path: string): void }) {
  return (
    <li className={classNames(layout.row12, styles.file)}>
      <code className={classNames(layout.widest, typography.anywhere)}>
        <bdi>{visibleText(path)}</bdi>
      </code>
      <span className={typography.muted} data-figures>
        {formatSize(sizeBytes)}
      </span>
      <IconButton label={text.remove(visibleText(path))} onPress={() => onRemove(path)}>
        <X {...icon} />
      </IconButton>
    </li>
  );
}
