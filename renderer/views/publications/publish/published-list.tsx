import type { LabPublication } from '../../../../shared/domain/lab.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './publish.module.css';
import { text } from './text.ts';

/** What the lab's rule editor has, newest first; null: not known yet. */
export function PublishedList({
  publications,
  failure,
}: {
  publications: readonly LabPublication[] | null;
  failure: Failure | null;
}) {
  return (
    <section className={styles.published} data-pane aria-label={text.list}>
      <h2 className={styles.heading}>{text.list}</h2>
      {failure !== null && (
        <div className={styles.told}>
          <ReadFailure failure={failure} of="lab.publications" />
        </div>
      )}
      {publications?.length === 0 && <p className={classNames(typography.note, styles.none)}>{text.none}</p>}
      <ul>
        {publications?.map(({ id, version, group, published, files, rules }) => (
          <li key={id} className={classNames(typography.note, styles.publication)}>
            <p className={classNames(layout.flex12, styles.line)}>
              <span className={classNames(typography.figure, typography.ellipsis)}>{visibleText(version)}</span>
              <span>{group}</span>
            </p>
            <p className={classNames(layout.flex12, styles.line)}>
              <TimeText sent={published} />
              <span data-figures>{text.contents(files, rules)}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
