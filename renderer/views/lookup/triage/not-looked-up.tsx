import { type ReactNode } from 'react';
import { ChevronDown, ChevronRight, CircleCheck, CircleQuestionMark, CircleX } from 'lucide-react';
import { mostRejectedKept, reasonSentence, type RejectedRun } from '../../../../shared/domain/hash-extraction.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { cutMiddle, formatNumber } from '../../../components/format.ts';
import { useToast } from '../../../components/toasts.tsx';
import type { TextSummary } from '../../../features/bulk-download/extracted-text.ts';
import { hashInstead, placeOfHash, useTriageStore } from '../../../features/lookup/triage-store.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from './strings.ts';
import styles from './triage.module.css';

const longestShown = 40;
/** The rest is in the copied list. */
const mostShown = 500;

interface NotLookedUpProps {
  summary: TextSummary;
  onShowLine(line: number): void;
}

/** Every run that looks like a hash and was not taken, uncertain ones first: nothing is dropped in silence. */
export function NotLookedUp({ summary: { rejected, rejectedCount }, onShowLine }: NotLookedUpProps) {
  const { place, note } = useTriageStore();
  if (rejectedCount === 0) return null;
  const runs = rejected.map((run) => ({ run, instead: hashInstead(run) }));
  const uncertain = runs.filter(({ instead }) => instead?.isCorrected === false);
  const others = runs.filter(({ instead }) => instead?.isCorrected !== false);
  const isIn = ({ instead }: (typeof runs)[number]): boolean => instead !== null && place.added.has(instead.hash);
  const left = rejectedCount - runs.filter(isIn).length;
  const leftUncertain = uncertain.filter((one) => !isIn(one)).length;
  const isOpen = place.showsRejected;
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className={classNames(layout.bottom, styles.dock)} aria-labelledby="not-looked-up" data-pane>
      <div className={classNames(layout.row8, styles.dockHead)}>
        <Button look="quiet" size="small" aria-expanded={isOpen} onPress={() => note({ showsRejected: !isOpen })}>
          <Arrow size={14} strokeWidth={1.6} aria-hidden="true" />
          <strong id="not-looked-up">{text.notLookedUp}</strong> <span data-figures>{formatNumber(left)}</span>
        </Button>
        <span className={classNames(typography.note, layout.grow)} data-figures>
          {text.notLookedUpCounts(leftUncertain, left - leftUncertain)}
        </span>
        <CopyButton
          label={text.copyList}
          text={() => [...uncertain, ...others].map(({ run }) => asLine(run)).join('\n')}
        />
      </div>
      {isOpen && (
        <ul className={styles.runs}>
          {[...uncertain, ...others].slice(0, mostShown).map(({ run, instead }, at) => (
            <Run key={`${run.line}:${at}`} run={run} instead={instead} onShowLine={onShowLine} />
          ))}
          {rejectedCount > Math.min(mostShown, mostRejectedKept) && (
            <li className={typography.hint}>{text.kept(mostShown)}</li>
          )}
        </ul>
      )}
    </section>
  );
}

interface RunProps {
  run: RejectedRun;
  instead: ReturnType<typeof hashInstead>;
  onShowLine(line: number): void;
}

function Run({ run, instead, onShowLine }: RunProps) {
  const { place } = useTriageStore();
  return (
    <li className={styles.run}>
      <span className={typography.faint} data-figures>
        {text.lineNumber(run.line)}
      </span>
      <code title={visibleText(run.text)}>
        <Marked run={run} />
      </code>
      <RunState isIn={instead !== null && place.added.has(instead.hash)} isUncertain={instead?.isCorrected === false} />
      <span className={classNames(typography.muted, typography.cut)} title={reasonSentence(run.reason)}>
        {reasonSentence(run.reason)}
      </span>
      {instead === null ? (
        <Button look="inline" size="small" onPress={() => onShowLine(run.line)}>
          {text.showLine}
        </Button>
      ) : (
        <AddHash hash={instead.hash}>
          {instead.isCorrected ? text.tryInstead(correctionOf(run)) : text.lookUpAnyway}
        </AddHash>
      )}
    </li>
  );
}

function RunState({ isIn, isUncertain }: { isIn: boolean; isUncertain: boolean }) {
  const [Icon, meaning, word] = isIn
    ? ([CircleCheck, typography.ok, text.inTable] as const)
    : isUncertain
      ? ([CircleQuestionMark, typography.warn, text.uncertain] as const)
      : ([CircleX, typography.bad, text.rejected] as const);
  return (
    <span className={layout.inline6}>
      <Icon className={classNames(meaning)} size={14} strokeWidth={1.6} aria-hidden="true" />
      {word}
    </span>
  );
}

/** Looks the hash up in the same table; then it leads to its row. */
function AddHash({ hash, children }: { hash: string; children: ReactNode }) {
  const store = useTriageStore();
  const add = useAddHash();
  const isIn = store.place.added.has(hash);
  return (
    <Button look="inline" size="small" onPress={() => (isIn ? placeOfHash(store, hash) : void add(hash))}>
      {isIn ? text.showRow : children}
    </Button>
  );
}

/** Adds a hash to the table, and reports it. @returns whether it is there */
export function useAddHash(): (hash: string) => Promise<boolean> {
  const store = useTriageStore();
  const toast = useToast();
  return async (hash) => {
    const failure = await store.add(hash);
    if (failure !== null) toast({ meaning: 'bad', text: text.notAdded(describeFailure(failure).what), failure });
    else toast({ meaning: 'ok', text: text.addedHash(cutMiddle(hash, longestInToast)) });
    return failure === null;
  };
}
const longestInToast = 16;

const correctionOf = ({ text: run }: RejectedRun): string => (/o/i.test(run) ? '0' : '1');

/** What is no hexadecimal digit is marked; the beginning and the end of a long run are shown. */
function Marked({ run: { text: run } }: { run: RejectedRun }) {
  const pieces = visibleText(cutMiddle(run, longestShown)).split(/([^0-9a-f\s….:-]+)/i);
  return pieces.map((piece, at) =>
    at % 2 === 1 ? (
      <mark key={at} className={styles.fault}>
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}

const asLine = ({ line, text: run, reason }: RejectedRun): string =>
  `${text.lineNumber(line)}\t${run}\t${reasonSentence(reason)}`;
