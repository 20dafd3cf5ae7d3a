import { ArrowLeft, Play, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { longestTrial, type RuleTrial, type TrialCheck, type TrialHit } from '../../../../shared/domain/rule-trial.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useAction, useOperation } from '../../../bridge/operations.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { nameInSentence } from '../../../components/format.ts';
import { SampleName } from '../../../components/service-text.tsx';
import { RuleDrafts } from '../../../memory/unsaved-texts.ts';
import { meaningOf } from '../../../state/failure-remedy.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { useRested } from '../../../state/pacing.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './rule-editor.module.css';
import paneStyles from './rules.module.css';
import { text } from './strings.ts';
import { TrialScopeChoice, useTrialScope } from './trial-scope.tsx';

const checkRestMs = 400;
const askEveryMs = 500;
const drafts = new RuleDrafts();

interface TryPaneProps {
  workspaceId: string;
  /** What the editor begins with; null: the draft that was left here. */
  source: string | null;
  onClose(): void;
}

/**
 * Rules in an editor, compiled while they are written and run over the vault, samples or files. Nothing is installed.
 */
export function TryPane({ workspaceId, source: begun, onClose }: TryPaneProps) {
  const [source, write] = useState(begun ?? '');
  useEffect(() => {
    if (begun !== null) return;
    void drafts.read(workspaceId).then((draft) => write((now) => (now === '' ? (draft ?? '') : now)));
  }, [workspaceId, begun]);
  const onChange = (next: string): void => {
    write(next);
    void drafts.keep(workspaceId, next);
  };
  const rested = useRested(source, checkRestMs);
  const { data: checked, error } = useOperation(
    'ruleTrials.check',
    { workspaceId, source: rested },
    { enabled: rested.trim() !== '' },
  );
  const isChecked = rested === source && checked !== undefined;
  const { data: started, mutate: start, isPending, error: notStarted } = useAction('ruleTrials.start');
  const { mutate: cancel } = useAction('ruleTrials.cancel');
  const tried = useTrialScope();
  const trial = useTrial(started ?? null);
  const isRunning = isPending || tried.isReading || trial?.state === 'running';
  const canRun = !isRunning && isChecked && checked.rules.length > 0;
  const run = async (): Promise<void> => {
    const scope = canRun ? await tried.read() : null;
    if (scope !== null) start({ workspaceId, source, scope });
  };
  const stop = (): void => {
    tried.stop();
    if (trial !== null) cancel({ id: trial.id });
  };
  const failure = notStarted ?? tried.failure ?? (error?.kind === 'cancelled' ? null : error);
  return (
    <section className={layout.pane} data-pane data-rule aria-label={text.tryTitle}>
      <header className={classNames(layout.wrapRow, paneStyles.ruleHead)}>
        <IconButton label={text.backToRule} onPress={onClose}>
          <ArrowLeft size={14} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
        <h2 className={classNames(layout.grow, typography.heading)}>{text.tryTitle}</h2>
        {isRunning ? (
          <Button onPress={stop}>
            <Square size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.stopTrial}
          </Button>
        ) : (
          <Button look="primary" isDisabled={!canRun} onPress={() => void run()}>
            <Play size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.runTrial}
          </Button>
        )}
      </header>
      <div className={classNames(layout.fill, styles.pane)}>
        <p className={classNames(typography.note, typography.anywhere)}>{text.tryHint}</p>
        <RuleEditor value={source} onChange={onChange} onRun={() => void run()} />
        <TrialScopeChoice scope={tried} />
        {failure !== null && <FailureNotice failure={failure} meaning={meaningOf(failure)} />}
        <Said checked={isChecked ? checked : null} isEmpty={source.trim() === ''} />
        {trial !== null && <Results trial={trial} leftOut={tried.leftOut} />}
      </div>
    </section>
  );
}

/** Its progress. */
function useTrial(started: RuleTrial | null): RuleTrial | null {
  const { data, refetch } = useOperation('ruleTrials.state', { id: started?.id ?? '' }, { enabled: started !== null });
  const trial = data?.trial ?? started;
  const isRunning = trial?.state === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void refetch(), askEveryMs);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  return trial;
}

function Said({ checked, isEmpty }: { checked: TrialCheck | null; isEmpty: boolean }) {
  if (isEmpty) return null;
  if (checked === null)
    return (
      <p className={classNames(typography.note, styles.said)} role="status">
        {text.compiling}
      </p>
    );
  const { rules, broken, warnings } = checked;
  return (
    <div className={classNames(typography.note, styles.said)} role="status">
      <p>{text.checkedWords(rules.length, broken.length, warnings.length)}</p>
      <ul>
        {broken.map((one) => (
          <li key={`${one.line}:${one.text}`} className={typography.bad}>
            <bdi>{visibleText(text.warningAt(one.line, one.text))}</bdi>
          </li>
        ))}
        {warnings.map((one) => (
          <li key={`${one.line}:${one.code}:${one.text}`} className={typography.warn}>
            <bdi>{visibleText(text.warningAt(one.line, one.text))}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `without`: samples that were selected and could not be named to the trial. */
function Results({ trial, leftOut: without }: { trial: RuleTrial; leftOut: number }) {
  const { hits, hitTotal, unscanned, unscannedTotal, leftOut, unknown, namesLeftOut, failure } = trial;
  return (
    <section className={styles.results} aria-label={text.trialResults}>
      <p role="status" data-figures>
        {text.trialWords(trial)}
      </p>
      {failure !== null && <FailureNotice failure={failure} meaning={meaningOf(failure)} />}
      {leftOut.length > 0 && (
        <p className={typography.bad}>
          <bdi>{visibleText(text.trialLeftOut(leftOut))}</bdi>
        </p>
      )}
      {unknown.length > 0 && <p className={typography.warn}>{text.trialUnknown(unknown)}</p>}
      {namesLeftOut > 0 && <p className={typography.warn}>{text.trialNamesLeftOut(namesLeftOut)}</p>}
      {without > 0 && <p className={typography.bad}>{text.trialWithout(without)}</p>}
      {unscannedTotal > 0 && (
        <p className={typography.bad}>
          {text.trialUnscanned(unscannedTotal)}{' '}
          <bdi>
            {unscanned
              .slice(0, 3)
              .map((one) => nameInSentence(nameOf(one)))
              .join(', ')}
          </bdi>
        </p>
      )}
      <ul>
        {hits.map((hit, at) => (
          <Hit key={hit.sha256 ?? `file ${at}`} hit={hit} />
        ))}
      </ul>
      {hitTotal > hits.length && <p>{text.moreHits(hitTotal - hits.length)}</p>}
    </section>
  );
}

const nameOf = ({ name, sha256 }: Pick<TrialHit, 'name' | 'sha256'>): string =>
  name ?? sha256?.slice(0, 12) ?? text.unnamedFile;

function Hit({ hit: { sha256, name, rules, isCut } }: { hit: TrialHit }) {
  const { openSample } = useNavigation();
  const named = nameOf({ name, sha256 });
  return (
    <li className={classNames(layout.grid12, styles.hit)}>
      {sha256 === null ? (
        <SampleName name={named} />
      ) : (
        <Button
          size="small"
          look="inline"
          aria-label={text.openSample(nameInSentence(named))}
          onPress={() => openSample(sha256)}
        >
          <SampleName name={named} />
        </Button>
      )}
      <div>
        {rules.map(({ rule, matches, offset }) => (
          <p key={rule}>
            <code>
              <bdi>{visibleText(rule)}</bdi>
            </code>{' '}
            <span className={styles.matches} data-figures>
              {text.matchWords(matches, offset)}
            </span>
          </p>
        ))}
        {isCut && <p className={typography.warn}>{text.trialCut}</p>}
      </div>
    </li>
  );
}

interface RuleEditorProps {
  value: string;
  onChange(value: string): void;
  /** Ctrl Enter. */
  onRun(): void;
}

/**
 * A field for rules, with line numbers. Tab indents; after Escape it leads on, so that the keyboard is not held here.
 */
function RuleEditor({ value, onChange, onRun }: RuleEditorProps) {
  const hint = useId();
  const numbers = useRef<HTMLDivElement>(null);
  const [tabLeaves, setTabLeaves] = useState(false);
  const lines = value.split('\n').length;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget } = event;
    if (key === 'Enter' && (ctrlKey || metaKey)) onRun();
    else if (key === 'Escape') setTabLeaves(true);
    else if (key === 'Tab' && !shiftKey && !ctrlKey && !altKey && !tabLeaves) indent(currentTarget, onChange);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div className={classNames(surface.input, styles.editor)}>
        <div ref={numbers} className={styles.numbers} aria-hidden="true">
          {Array.from({ length: lines }, (_, line) => line + 1).join('\n')}
        </div>
        <textarea
          className={classNames(layout.widest, styles.text)}
          dir="ltr"
          wrap="off"
          value={value}
          maxLength={longestTrial}
          aria-label={text.editor}
          aria-describedby={hint}
          aria-keyshortcuts="Control+Enter"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={({ target }) => onChange(target.value)}
          onScroll={({ currentTarget }) => numbers.current?.scrollTo({ top: currentTarget.scrollTop })}
          onKeyDown={onKeyDown}
          onFocus={() => setTabLeaves(false)}
        />
      </div>
      <p id={hint} className={classNames(typography.smallHint, layout.fixed)}>
        {text.editorKeys}
      </p>
    </>
  );
}

function indent(field: HTMLTextAreaElement, onChange: (value: string) => void): void {
  const { selectionStart: from } = field;
  field.setRangeText('    ', from, field.selectionEnd, 'end');
  onChange(field.value);
}
