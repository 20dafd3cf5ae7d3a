import type { WatchedFile, WatchState } from '../../../../shared/domain/watch.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useNavigation } from '../../../app/navigation.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { Button } from '../../../components/button.tsx';
import { numberWords, sizeWords } from '../../../components/byte-words.ts';
import { CutName } from '../../../components/cut-name.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { failureWords } from '../../../components/failure-words.ts';
import { SmallTable } from '../../../components/small-table.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import settings from '../settings.module.css';
import { text } from './text.ts';
import styles from './watch.module.css';

/** The newest files that came, and what became of them. */
export function WatchedFiles({ state: { found, files, isOn } }: { state: WatchState }) {
  if (found === 0 && !isOn) return null;
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="watched-files">
      <div className={layout.spreadRow}>
        <h3 id="watched-files" className={settings.groupTitle}>
          {text.found}
        </h3>
        {found > 0 && (
          <span className={typography.hint} data-figures>
            {text.newest(files.length, found)}
          </span>
        )}
      </div>
      {found === 0 ? <p className={typography.sentence}>{text.nothingYet}</p> : <Listed files={files} />}
    </section>
  );
}

function Listed({ files }: { files: readonly WatchedFile[] }) {
  const { openRoom } = useNavigation();
  const { mutate, isPending, error } = useAction('watch.clear');
  return (
    <>
      <SmallTable className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{text.file}</th>
            <th scope="col" className={styles.number}>
              {text.size}
            </th>
            <th scope="col" className={styles.state}>
              {text.state}
            </th>
            <th scope="col" className={styles.hits}>
              {text.hits}
            </th>
            <th scope="col" className={styles.time}>
              {text.time}
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <Row key={file.path} file={file} />
          ))}
        </tbody>
      </SmallTable>
      <div className={layout.wrap8}>
        <Button onPress={() => openRoom('upload')}>{text.openUpload}</Button>
        <Button isPending={isPending} onPress={() => mutate({})}>
          {text.clear}
        </Button>
      </div>
      {error && <FailureNotice failure={error} />}
    </>
  );
}

function Row({ file: { path, sizeBytes, state, hits, failure, found } }: { file: WatchedFile }) {
  return (
    <tr data-figures>
      <th scope="row">
        <span className={styles.name}>
          <CutName name={path} />
        </span>
      </th>
      <td className={styles.number}>{sizeWords(sizeBytes)}</td>
      <td className={styles.state}>
        {stateWord(state, failure)}
        {failure !== null && <bdi className={styles.why}>{visibleText(failureWords(failure).what)}</bdi>}
      </td>
      <td className={styles.hits}>
        {hits !== null && <span className={hits > 0 ? typography.strong : undefined}>{numberWords(hits)}</span>}
      </td>
      <td className={styles.time}>
        <TimeText sent={found} />
      </td>
    </tr>
  );
}

function stateWord(state: WatchedFile['state'], failure: Failure | null): string {
  if (failure !== null && state === 'drafted') return text.notScanned;
  return failure !== null && state === 'waiting' ? text.triedAgain : text.states[state];
}
