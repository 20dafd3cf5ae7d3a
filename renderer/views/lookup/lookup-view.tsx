import { useEffect, useEffectEvent, useRef } from 'react';
import { isTyping, letterOf } from '../../app/single-letters.ts';
import { useLookupDesk } from '../../app/lookup-desk.tsx';
import { useSettings } from '../../app/use-settings.ts';
import { FoundHashes } from './found-hashes.tsx';
import { LookupEmpty } from './lookup-empty.tsx';
import { LookupFailure } from './lookup-failure.tsx';
import { LookupHead } from './lookup-head.tsx';
import { LookupWaiting } from './lookup-waiting.tsx';
import styles from './lookup.module.css';
import { SampleResult } from './sample-result.tsx';
import { NoHash } from './no-hash.tsx';

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target' | 'defaultPrevented' | 'preventDefault'>;

/** A single letter presses the button that shows it: one truth for both. */
const letterButton = (letter: string): string => `button[data-letter="${CSS.escape(letter.toUpperCase())}"]:not(:disabled)`;

export function LookupView() {
  const { state, stopWaiting, backToChoice } = useLookupDesk();
  const { values } = useSettings();
  const view = useRef<HTMLDivElement>(null);

  const goBack = (): void => {
    if (state.kind === 'asking') stopWaiting();
    else if ('choice' in state && state.choice.found.length > 1) backToChoice();
  };
  const onKeyDown = (event: KeyPress): void => {
    if (event.key === 'Escape' && !event.defaultPrevented && (state.kind === 'asking' || !isTyping(event))) goBack();
    const letter = letterOf(event);
    if (letter === null || event.defaultPrevented || !values.singleLetterKeys) return;
    const target = letter === '/' ? view.current?.querySelector<HTMLElement>('input') : view.current?.querySelector<HTMLElement>(letterButton(letter));
    if (!target) return;
    event.preventDefault();
    if (letter === '/') target.focus();
    else target.click();
  };
  useKeysOfNobody(onKeyDown);

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of the buttons inside
    <div ref={view} className={styles.view} onKeyDown={onKeyDown}>
      <LookupHead />
      {state.kind === 'idle' && <LookupEmpty />}
      {state.kind === 'no-hash' && <NoHash failure={state.failure} rejected={state.rejected} />}
      {state.kind === 'choosing' && <FoundHashes choice={state.choice} />}
      {state.kind === 'asking' && <LookupWaiting key={`${state.workspaceId}:${state.hash.value}`} state={state} />}
      {state.kind === 'failed' && <LookupFailure failure={state.failure} hash={state.hash} workspaceId={state.workspaceId} />}
      {state.kind === 'found' && <SampleResult key={`${state.workspaceId}:${state.result.asked}`} found={state} />}
    </div>
  );
}

/** What had the focus may be gone, a Cancel button with its download: then nobody has it, and the view's keys still work. */
function useKeysOfNobody(onKeyDown: (event: KeyPress) => void): void {
  const onKey = useEffectEvent((event: KeyPress) => {
    if (event.target === document.body) onKeyDown(event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
