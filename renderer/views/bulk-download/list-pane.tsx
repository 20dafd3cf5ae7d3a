import { type ClipboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { reasonSentence } from '../../../shared/domain/hash-extraction.ts';
import type { RejectedRun } from '../../../shared/domain/hash-extractor.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatNumber, nameInSentence } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { useLate } from '../../components/use-late.ts';
import { useBulkStore } from '../../features/bulk-download/bulk-store.tsx';
import { toFetch } from '../../features/bulk-download/bulk-tally.ts';
import type { TextSummary } from '../../features/bulk-download/extracted-text.ts';
import { mostListed, TextListing } from '../../features/bulk-download/text-listing.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './bulk-download.module.css';
import { formatRefusal, text } from './strings.ts';

const longestName = 28;

/** The text, what was found in it, and what was not taken. */
export function ListPane() {
  const { list, job, editable, lines } = useBulkStore();
  const [isEditing, setEditing] = useState(false);
  const isLateReading = useLate(list.kind === 'reading');
  const isField = job === null && editable !== null && (list.kind === 'none' || list.kind === 'refused' || isEditing);
  const name = 'source' in list && list.source.kind === 'file' ? list.source.name : null;
  const named = name === null ? text.pasted : nameInSentence(name, longestName);
  return (
    <section className={classNames(layout.stack, styles.left)} data-pane aria-label={text.list}>
      <div className={classNames(layout.row8, layout.top, styles.paneHead)}>
        <h2>{name === null ? text.pasted : <SampleName name={name} />}</h2>
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
          <Notice meaning="warn" title={formatRefusal(list.refusal, named).what} isAlert>
            {formatRefusal(list.refusal, named).then}
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
      {!isField && list.kind === 'read' && (
        <TextListing key={list.revision} count={list.summary.lines} lines={lines} label={text.listing} />
      )}
      {isLateReading && (
        <p className={classNames(layout.inset, typography.muted)} role="status">
          {name === null ? text.reading : text.readingFile(named)}
        </p>
      )}
      {list.kind === 'read' && <HashCounts summary={list.summary} />}
      {list.kind === 'read' && list.summary.rejectedCount > 0 && <RejectedList summary={list.summary} />}
      <p className={classNames(layout.bottom, typography.note, styles.foot)}>{text.destination}</p>
    </section>
  );
}

/** Typing is read when it pauses. */
const pauseMs = 250;

interface TextInputProps {
  takesFocus: boolean;
  /** The field is being typed in: it stays, whatever is read of it. */
  onBegin(): void;
  /** The text is as it should be. */
  onDone(): void;
}

/** A pasted text never enters the field, which would draw all of its lines: it is read at once and shown by windows. */
function TextInput({ takesFocus, onBegin, onDone }: TextInputProps) {
  const { editable, setText } = useBulkStore();
  /** null: nothing since the text was put in some other way, which the field must not undo. */
  const [typed, setTyped] = useState<string | null>(null);
  const read = useEffectEvent(() => {
    if (typed !== null && typed !== editable) setText(typed);
  });
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => read(), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    event.preventDefault();
    const whole = value.slice(0, selectionStart) + event.clipboardData.getData('text') + value.slice(selectionEnd);
    setTyped(null);
    setText(whole);
    onDone();
  };
  const leave = (): void => {
    if (typed !== null && typed !== editable) setText(typed);
    onDone();
  };
  return (
    <textarea
      className={styles.field}
      value={typed ?? editable ?? ''}
      placeholder={text.placeholder}
      aria-label={text.field}
      data-query
      data-landing
      // The way to edit the text was asked for.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={takesFocus}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onPaste={onPaste}
      onFocus={onBegin}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Escape' && leave()}
    />
  );
}

/** Counts that add up: what is fetched, what is not, and what was no hash of its own. */
function HashCounts({ summary }: { summary: TextSummary }) {
  const { check } = useBulkStore();
  const { tally, isDone } = check;
  return (
    <section className={classNames(layout.bottom, styles.counts)} aria-labelledby="hash-counts">
      <h3 id="hash-counts" className={styles.countsTitle} data-figures>
        <span role="status">{isDone ? text.toFetch(toFetch(tally)) : text.checking(tally.asked, summary.found)}</span>
      </h3>
      <dl data-figures>
        <Count title={text.md5} count={tally.md5} />
        <Count title={text.resolved} count={tally.resolved} />
        <Count title={text.needsMd5} count={tally.needsMd5} isAside />
        <Count title={text.alreadyHere} count={tally.alreadyHere} isAside />
        <Count title={text.again} count={summary.repeated} isAside />
        <Count title={text.rejected} count={summary.rejectedCount} isAside />
      </dl>
    </section>
  );
}

function Count({ title, count, isAside = false }: { title: string; count: number; isAside?: boolean }) {
  return (
    <div className={classNames(layout.flex12, styles.count, isAside && styles.asideCount)}>
      <dt>{title}</dt>
      <dd>{formatNumber(count)}</dd>
    </div>
  );
}

const shownAtFirst = 50;
const shownMore = 500;

/** Every run that looked meant as a hash and is none, with its line and its reason. */
function RejectedList({ summary: { rejected, rejectedCount } }: { summary: TextSummary }) {
  const [shown, setShown] = useState(shownAtFirst);
  const left = rejected.length - shown;
  return (
    <section className={classNames(layout.stack, styles.rejectedList)} aria-labelledby="rejected-runs">
      <div className={classNames(layout.row, styles.rejectedHead)}>
        <h3 id="rejected-runs" className={styles.countsTitle} data-figures>
          {text.rejectedTitle(rejectedCount)}
        </h3>
        <CopyButton label={text.copy} text={() => rejected.map(asLine).join('\n')} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
      <div className={styles.rejectedRuns} tabIndex={0} role="group" aria-labelledby="rejected-runs">
        <ul>
          {rejected.slice(0, shown).map((run, index) => (
            <li key={`${run.line}:${index}`} className={styles.run} title={run.text}>
              <span className={typography.faint} data-figures>
                {text.line(run.line)}
              </span>
              <span>{reasonSentence(run.reason)}</span>
            </li>
          ))}
        </ul>
        {left > 0 && (
          <Button size="small" look="quiet" onPress={() => setShown(shown + shownMore)}>
            {text.more(Math.min(left, shownMore))}
          </Button>
        )}
        {rejectedCount > rejected.length && left <= 0 && (
          <p className={classNames(typography.hint, styles.aside)}>{text.rejectedKept(rejected.length)}</p>
        )}
      </div>
    </section>
  );
}

const asLine = ({ line, text: run, reason }: RejectedRun): string =>
  `${text.line(line)}\t${run}\t${reasonSentence(reason)}`;
