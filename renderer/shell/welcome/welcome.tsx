import { Archive, Lock, Send } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useAction, useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { KeyCap } from '../../components/key-cap.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { keys } from '../../keyboard/keys.ts';
import { isTyping, useUnfocusedKey } from '../../keyboard/view-keys.ts';
import { type DiscardQuestion, useDiscardQuestion } from '../../state/app-dialogs.tsx';
import { usePaletteContext } from '../../state/commands.tsx';
import { LabFailure, useLabFailure } from '../../state/failure-remedy.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useSwitchWorkspace, useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { KeepTokens } from '../../views/settings/tokens-section.tsx';
import { WorkspaceForm } from '../../views/settings/workspace-form.tsx';
import { text } from './strings.ts';
import styles from './welcome.module.css';

const steps = ['storage', 'services', 'try'] as const;

/** What a new person is shown once: three steps, each of which can be left. */
export function Welcome() {
  const [at, setAt] = useState(0);
  const [connects, setConnects] = useState(false);
  const view = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const { openView } = useNavigation();
  const form = useDiscardableForm(connects);
  const skip = (): void => form.leave(() => openView('lookup'));
  useUnfocusedKey((event) => {
    // Where nothing has the focus, Tab continues from the title and not from the top of the page.
    if (event.key === 'Tab') title.current?.focus();
    leaveOnEscape(event, skip);
  });
  useKeptFocus(view);
  const step = steps[at] ?? 'storage';
  // Each step is read from its title on.
  const goTo = (index: number): void => {
    flushSync(() => {
      setConnects(false);
      setAt(index);
    });
    title.current?.focus();
  };
  const goOn = (): void => (at + 1 < steps.length ? goTo(at + 1) : skip());
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={layout.fill} onKeyDown={(event) => leaveOnEscape(event, skip)} onInput={form.onInput}>
      <ViewHead title={text.title}>
        <ViewLine>{text.stepOf(at + 1, steps.length)}</ViewLine>
        <Button look="quiet" onPress={skip}>
          {text.skip}
          <KeyCap>{keys.welcome.skip.keys}</KeyCap>
        </Button>
      </ViewHead>
      <div className={classNames(layout.scroll, styles.body)} data-pane>
        <div className={classNames(layout.stack16, styles.column)}>
          <StepList at={at} onChoose={(index) => form.leave(() => goTo(index))} />
          <h2 ref={title} className={typography.headline} tabIndex={-1} data-landing>
            {text.names[step]}
          </h2>
          {step === 'storage' && <StorageStep />}
          {step === 'services' && <ServicesStep connects={connects} onConnect={setConnects} onUseLab={goOn} />}
          {step === 'try' && <TryStep />}
          {/* Below its text, whatever the height of the window. The form has its own, and goes with what was typed. */}
          {!connects && (
            <div className={classNames(layout.flex8, styles.ways)}>
              <Button look="primary" onPress={goOn}>
                {at + 1 < steps.length ? text.next : text.done}
              </Button>
              {at > 0 && (
                <Button look="quiet" onPress={() => goTo(at - 1)}>
                  {text.back}
                </Button>
              )}
            </div>
          )}
        </div>
      </div>
      {form.question}
    </div>
  );
}

/** Not out of a field, where it is the field’s own. */
function leaveOnEscape(event: Pick<KeyboardEvent, 'key' | 'target' | 'defaultPrevented'>, skip: () => void): void {
  if (event.key === 'Escape' && !event.defaultPrevented && !isTyping(event)) skip();
}

function StepList({ at, onChoose }: { at: number; onChoose(at: number): void }) {
  return (
    <ol className={classNames(layout.wrap, styles.steps)} aria-label={text.steps}>
      {steps.map((step, index) => (
        <li key={step}>
          <button
            type="button"
            className={classNames(layout.row8, typography.hint, styles.step)}
            aria-current={index === at ? 'step' : undefined}
            onClick={() => onChoose(index)}
          >
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            {text.names[step]}
          </button>
        </li>
      ))}
    </ol>
  );
}

const icons = [Lock, Archive, Send] as const;

/** What Vitrine is, and that nothing in it bites. */
export function StorageStep() {
  return (
    <>
      <p className={styles.sentence}>{text.storedEncryptedSentence}</p>
      <ul className={styles.rows}>
        {text.storedEncrypted.map(({ title, sentence }, index) => {
          const Icon = icons[index] ?? Lock;
          return (
            <li key={title} className={classNames(layout.grid12, styles.row)}>
              <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
              <div>
                <h3 className={typography.heading}>{title}</h3>
                <p className={styles.sentence}>{sentence}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export interface ServicesStepProps {
  /** The form is open. */
  connects: boolean;
  onConnect(connects: boolean): void;
  onUseLab(): void;
}

/** The services of the team, or the lab for now. */
export function ServicesStep({ connects, onConnect, onUseLab }: ServicesStepProps) {
  if (connects) return <WorkspaceForm stored={null} onDone={() => onConnect(false)} />;
  return (
    <>
      <p className={styles.sentence}>{text.servicesSentence}</p>
      <WorkspaceChoice />
      <KeepTokens />
      <div className={layout.wrap8}>
        <Button onPress={() => onConnect(true)}>{text.connect}</Button>
        <Button look="quiet" onPress={onUseLab}>
          {text.withLab}
        </Button>
      </div>
    </>
  );
}

/** Once there is more than the lab. */
function WorkspaceChoice() {
  const { workspaces, current } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  if (current === null || workspaces.length < 2) return null;
  const options = workspaces.map(({ id, name }) => ({ value: id, text: <bdi>{visibleText(name)}</bdi> }));
  return (
    <RadioChoice label={text.workspace} value={current.id} options={options} onChange={(id) => void switchTo(id)} />
  );
}

const sampleFilesShown = 4;

/** First things to do, in the workspace that was chosen. */
export function TryStep() {
  const { current } = useWorkspaces();
  const { openView } = useNavigation();
  const { store } = usePaletteContext();
  return (
    <div className={styles.rows}>
      {current?.builtIn === true ? (
        <Thing title={text.trySample} sentence={text.trySampleSentence}>
          <SampleFiles />
        </Thing>
      ) : (
        <Thing title={text.tryHash} sentence={text.tryHashSentence}>
          <Button onPress={() => openView('lookup')}>{text.openLookup}</Button>
        </Thing>
      )}
      {current !== null && current.ruleEditor !== null && <RuleCheck workspaceId={current.id} />}
      <Thing title={text.tryPalette} sentence={text.tryPaletteSentence}>
        <Button onPress={store.open} data-opens-palette>
          {text.openPalette}
          <KeyCap>{keys.global.palette.keys}</KeyCap>
        </Button>
      </Thing>
    </div>
  );
}

function Thing({ title, sentence, children }: { title: string; sentence: string; children: ReactNode }) {
  return (
    <section className={classNames(layout.stack8, styles.thing)} aria-label={title}>
      <h3 className={typography.heading}>{title}</h3>
      <p className={styles.sentence}>{sentence}</p>
      {children}
    </section>
  );
}

function SampleFiles() {
  const { lookUpText } = useLookupStore();
  const { openView } = useNavigation();
  const { data, error, refetch } = useOperation('lab.sampleFiles', {});
  const labFailure = useLabFailure();
  if (error)
    return (
      <FailureNotice failure={error} retry={{ name: 'lab.sampleFiles', input: {} }} onRetry={() => void refetch()} />
    );
  if (labFailure !== null) return <LabFailure />;
  if (!data || data.sampleFiles.length === 0)
    return (
      <p className={styles.sentence} role="status">
        {text.labStarting}
      </p>
    );
  const lookUp = (md5: string): void => {
    lookUpText(md5);
    openView('lookup');
  };
  return (
    <div className={layout.wrap8}>
      {data.sampleFiles.slice(0, sampleFilesShown).map(({ md5, name }) => (
        <Button key={md5} size="small" onPress={() => lookUp(md5)}>
          <SampleName name={name} />
        </Button>
      ))}
    </div>
  );
}

function RuleCheck({ workspaceId }: { workspaceId: string }) {
  const { openPublications } = useNavigation();
  const { mutate, isPending, error } = useAction('publications.check');
  const check = (): void => mutate({ workspaceId }, { onSuccess: () => openPublications('updates') });
  return (
    <Thing title={text.tryRules} sentence={text.tryRulesSentence}>
      <div>
        <Button isDisabled={isPending} onPress={check}>
          {text.checkRules}
        </Button>
      </div>
      {error && (
        <FailureNotice failure={error} retry={{ name: 'publications.check', input: { workspaceId } }} onRetry={check} />
      )}
    </Thing>
  );
}

export interface DiscardableForm extends DiscardQuestion {
  /** Put it around the form. */
  onInput(): void;
}

/** Whatever leads away from a form that is open asks before it throws away what was typed. */
export function useDiscardableForm(isOpen: boolean): DiscardableForm {
  const [isTyped, setTyped] = useState(false);
  if (!isOpen && isTyped) setTyped(false);
  return { onInput: () => setTyped(isOpen), ...useDiscardQuestion(isTyped, text.typedLost) };
}
