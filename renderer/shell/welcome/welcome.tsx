import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../components/button.tsx';
import { KeyCap } from '../../components/key-cap.tsx';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { isTyping } from '../../keyboard/single-letters.ts';
import { useKeyOfNobody } from '../../keyboard/use-key-of-nobody.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { InertStep } from './inert-step.tsx';
import { ServicesStep } from './services-step.tsx';
import { text } from './text.ts';
import { TryStep } from './try-step.tsx';
import { useTypedForm } from './use-typed-form.tsx';
import styles from './welcome.module.css';

const steps = ['inert', 'services', 'try'] as const;

/** What a new person is shown once: three steps, each of which can be left. */
export function Welcome() {
  const [at, setAt] = useState(0);
  const [connects, setConnects] = useState(false);
  const view = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const { openRoom } = useNavigation();
  const form = useTypedForm(connects);
  const skip = (): void => form.leave(() => openRoom('lookup'));
  useKeyOfNobody((event) => leaveOnEscape(event, skip));
  useKeptFocus(view);
  const step = steps[at] ?? 'inert';
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
    <div ref={view} className={styles.view} onKeyDown={(event) => leaveOnEscape(event, skip)} onInput={form.onInput}>
      <ViewHead title={text.title}>
        <ViewLine>{text.stepOf(at + 1, steps.length)}</ViewLine>
        <Button look="quiet" onPress={skip}>
          {text.skip}
          <KeyCap>Esc</KeyCap>
        </Button>
      </ViewHead>
      <div className={styles.body} data-pane>
        <div className={styles.column}>
          <StepList at={at} onChoose={(index) => form.leave(() => goTo(index))} />
          <h2 ref={title} className={styles.title} tabIndex={-1} data-landing>
            {text.names[step]}
          </h2>
          {step === 'inert' && <InertStep />}
          {step === 'services' && <ServicesStep connects={connects} onConnect={setConnects} onUseLab={goOn} />}
          {step === 'try' && <TryStep />}
        </div>
      </div>
      {/* The form has its own ways on, and goes with what was typed. */}
      {!connects && (
        <footer className={styles.foot}>
          {at > 0 && (
            <Button look="quiet" onPress={() => goTo(at - 1)}>
              {text.back}
            </Button>
          )}
          <Button look="primary" onPress={goOn}>
            {at + 1 < steps.length ? text.next : text.done}
          </Button>
        </footer>
      )}
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
    <ol className={styles.steps} aria-label={text.steps}>
      {steps.map((step, index) => (
        <li key={step}>
          <button
            type="button"
            className={styles.step}
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
