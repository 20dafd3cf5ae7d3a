import { ArrowLeft, FileText, Search, X } from 'lucide-react';
import { type ClipboardEvent, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { useLate } from '../../components/use-late.ts';
import { readHashText } from '../../features/lookup/hash-text.ts';
import { lookupFieldId, type LookupState, useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { type TriageStore, useTriageStore } from '../../features/lookup/triage-store.tsx';
import { type SampleScan, useSampleScan } from '../../features/scans/start-scan.ts';
import { isBehindOverlay } from '../../keyboard/focus.ts';
import { isTyping, useLetterButtons } from '../../keyboard/view-keys.ts';
import aloud from '../../styles/aloud.module.css';
import { lazyPart } from '../../state/lazy-dialog.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { LookupEmpty } from './lookup-empty.tsx';
import { type LookedUp, LookedUpActions, LookedUpSample, NoHash } from './lookup-outcome.tsx';
import styles from './lookup.module.css';
import { text } from './strings.ts';

const TriageView = lazyPart(() => import('./triage/triage-view.tsx').then((module) => module.TriageView));

export function LookupView() {
  const { state, stopWaiting, backToChoice } = useLookupStore();
  const view = useRef<HTMLDivElement>(null);
  const scan = useSampleScan();

  const goBack = (): void => {
    if (state.kind === 'asking') stopWaiting();
    else if ('choice' in state && state.choice.many !== null) backToChoice();
  };
  const onKeyDown = useLetterButtons(view, (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && (state.kind === 'asking' || !isTyping(event))) goBack();
  });

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of the buttons inside
    <div ref={view} className={layout.fill} onKeyDown={onKeyDown}>
      <LookupHead scan={scan} />
      {state.kind === 'idle' && <LookupEmpty />}
      {state.kind === 'no-hash' && <NoHash failure={state.failure} rejected={state.rejected} />}
      {state.kind === 'choosing' && <TriageView />}
      {isLookedUp(state) && (
        <LookedUpSample key={`${state.workspaceId}:${state.hash.value}`} state={state} scan={scan} />
      )}
    </div>
  );
}

const isLookedUp = (state: LookupState): state is LookedUp => 'hash' in state;

function LookupHead({ scan }: { scan: SampleScan }) {
  const { state, backToChoice } = useLookupStore();
  const triage = useTriageStore();
  const isMany = 'choice' in state && state.choice.many !== null;
  const { place, summary } = triage;
  return (
    <div className={classNames(layout.row, layout.top, styles.head)} data-pane>
      <h1 className={styles.title}>{text.title}</h1>
      <HashField />
      <p className={aloud.only} role="status">
        <Outcome />
      </p>
      {state.kind === 'choosing' && summary !== null && (
        <p className={typography.note}>{text.pastedLines(summary.lines, summary.repeated)}</p>
      )}
      {isMany && state.kind !== 'choosing' && (
        <Button look="quiet" onPress={backToChoice}>
          <ArrowLeft size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.backToChoice(countOf(triage))}
        </Button>
      )}
      <span className={layout.grow} />
      {state.kind === 'choosing' && summary !== null && (
        <Button
          look="quiet"
          letter="V"
          aria-expanded={place.showsText}
          onPress={() => triage.note({ showsText: !place.showsText })}
        >
          <FileText size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.pastedText}
        </Button>
      )}
      {isLookedUp(state) && <LookedUpActions state={state} scan={scan} />}
    </div>
  );
}

/** Of a job whose text is not here, its items. */
const countOf = ({ summary, job }: TriageStore): number => summary?.found ?? job?.items ?? 0;

function Outcome() {
  const { state } = useLookupStore();
  const isLate = useLate(state.kind === 'asking');
  if (isLate) return text.asking;
  if (state.kind === 'found') return text.found(state.result.elapsedMs);
  return state.kind === 'failed' && state.failure.kind === 'unknown-hash' ? text.notFound : null;
}

/** In place of the text with many hashes: how many there are, and the way to be rid of them. */
function ManyChip() {
  const { lookUpText } = useLookupStore();
  const triage = useTriageStore();
  return (
    <span className={classNames(layout.row4, styles.manyChip)}>
      <span className={styles.chip} data-figures>
        {triage.summary === null ? text.fromJob(countOf(triage)) : text.fromText(triage.summary.found)}
      </span>
      <IconButton label={text.clear} onPress={() => lookUpText('')}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
      </IconButton>
    </span>
  );
}

/** In UTF-16 code units. */
const longestTyped = 10_000;

/**
 * One field for a hash or any text with hashes. Enter asks; so does pasting into it when it is empty or all selected.
 */
function HashField() {
  const host = useLookupStore();
  const kindId = useId();
  const field = useRef<HTMLInputElement>(null);
  // It is what this view is for, and nothing comes before it.
  useLayoutEffect(() => {
    if (field.current !== null && !isBehindOverlay(field.current)) field.current.focus();
  }, []);
  const noteCut = useCutSides(field);
  const isMany = 'choice' in host.state && host.state.choice.many !== null && host.text === '';
  const verdict = readHashText(host.text);
  const kind =
    verdict.kind === 'one'
      ? text.kinds[verdict.hash.kind]
      : verdict.kind === 'several'
        ? text.severalKind(verdict.found.length)
        : null;
  return (
    <form
      role="search"
      aria-label={text.title}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        host.lookUpText(host.text);
      }}
    >
      <Search className={classNames(layout.above, styles.fieldIcon)} size={16} strokeWidth={1.6} aria-hidden="true" />
      <input
        ref={field}
        id={lookupFieldId}
        data-query={host.state.kind === 'choosing' ? undefined : true}
        type="text"
        className={classNames(
          surface.input,
          styles.field,
          verdict.kind === 'several' && styles.several,
          isMany && styles.many,
        )}
        value={host.text}
        placeholder={isMany ? '' : text.placeholder}
        aria-label={text.field}
        aria-describedby={kindId}
        aria-invalid={host.state.kind === 'no-hash'}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => host.setText(event.target.value)}
        onPaste={(event) => takePasted(event, host.lookUpText)}
        onScroll={noteCut}
        onKeyDown={(event) => event.key === 'Escape' && host.setText('')}
      />
      {isMany && <ManyChip />}
      <span className={classNames(layout.above, styles.cutStart)} aria-hidden="true">
        …
      </span>
      <span className={classNames(layout.above, styles.cutEnd)} aria-hidden="true">
        …
      </span>
      <span id={kindId} className={classNames(layout.above, typography.hint, styles.kind)}>
        {kind}
      </span>
    </form>
  );
}

/** Into a field that is empty or all selected, what is pasted is looked up; and what would hold up the field, too. */
function takePasted(event: ClipboardEvent<HTMLInputElement>, lookUpText: (text: string) => void): void {
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  const pasted = event.clipboardData.getData('text');
  const isAll = selectionStart === 0 && selectionEnd === value.length;
  if (!isAll && pasted.length <= longestTyped) return;
  event.preventDefault();
  lookUpText(isAll ? pasted : `${value}\n${pasted}`);
}

/**
 * Notes on a field, as `data-cut`, on which sides its text extends beyond the visible part: a focused one draws no
 * ellipsis by itself, and shows the end of what was pasted. Noted with every drawing, and by the returned function
 * whenever the text is moved.
 */
function useCutSides(field: RefObject<HTMLInputElement | null>): () => void {
  const noteCut = (): void => void (field.current !== null && note(field.current));
  useLayoutEffect(noteCut);
  return noteCut;
}

function note(field: HTMLInputElement): void {
  const { scrollLeft, clientWidth, scrollWidth } = field;
  // Rounding is no cut.
  const sides = [scrollLeft > 1 && 'start', scrollLeft + clientWidth < scrollWidth - 1 && 'end'].filter(
    (side) => side !== false,
  );
  field.dataset.cut = sides.join(' ');
}
