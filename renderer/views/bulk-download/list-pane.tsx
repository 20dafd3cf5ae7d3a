import { useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { cutMiddle } from '../../components/middle-cut.ts';
import { useLate } from '../../components/use-late.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './bulk-download.module.css';
import { HashCounts } from './hash-counts.tsx';
import { RejectedList } from './rejected-list.tsx';
import { mostListed, TextListing } from './text-listing.tsx';
import { TextInput } from './text-input.tsx';
import { refusalWords, text } from './text.ts';

const longestName = 28;

/** The text, what was found in it, and what was not taken. */
export function ListPane() {
  const { list, job, editable } = useBulkDesk();
  const [isEditing, setEditing] = useState(false);
  const isLateReading = useLate(list.kind === 'reading');
  const isField = job === null && editable !== null && (list.kind === 'none' || list.kind === 'refused' || isEditing);
  const name =
    'source' in list && list.source.kind === 'file' ? visibleText(cutMiddle(list.source.name, longestName)) : null;
  return (
    <section className={classNames(layout.stack, styles.left)} data-pane aria-label={text.list}>
      <div className={classNames(layout.row8, layout.top, styles.paneHead)}>
        <h2>{name === null ? text.pasted : <bdi>{name}</bdi>}</h2>
        {list.kind === 'read' && (
          <span className={classNames(typography.hint, styles.aside)} data-figures>
            {list.summary.lines > mostListed
              ? text.linesShown(list.summary.lines, mostListed)
              : text.lines(list.summary.lines)}
          </span>
        )}
        {list.kind === 'read' && job === null && editable !== null && !isField && (
          <Button size="small" look="quiet" onPress={() => setEditing(true)}>
            {text.edit}
          </Button>
        )}
      </div>
      {list.kind === 'refused' && (
        <div className={layout.inset}>
          <Notice meaning="warn" title={refusalWords(list.refusal, name ?? text.pasted).what} isAlert>
            {refusalWords(list.refusal, name ?? text.pasted).then}
          </Notice>
        </div>
      )}
      {isField && (
        <TextInput
          takesFocus={list.kind === 'read'}
          onBegin={() => setEditing(true)}
          onDone={() => setEditing(false)}
        />
      )}
      {!isField && list.kind === 'read' && <TextListing key={list.revision} count={list.summary.lines} />}
      {isLateReading && (
        <p className={classNames(layout.inset, typography.muted)} role="status">
          {name === null ? text.reading : text.readingFile(name)}
        </p>
      )}
      {list.kind === 'read' && <HashCounts summary={list.summary} />}
      {list.kind === 'read' && list.summary.rejectedCount > 0 && <RejectedList summary={list.summary} />}
      <p className={classNames(layout.bottom, typography.note, styles.foot)}>{text.destination}</p>
    </section>
  );
}
