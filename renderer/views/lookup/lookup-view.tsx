import { useRef } from 'react';
import { isTyping } from '../../app/single-letters.ts';
import { useLookupDesk } from '../../app/lookup-desk.tsx';
import { useSampleScan } from '../../app/sample/use-sample-scan.ts';
import { useLetterButtons } from '../../app/use-letter-buttons.ts';
import layout from '../../styles/layout.module.css';
import { FoundHashes } from './found-hashes.tsx';
import { FoundSample } from './found-sample.tsx';
import { LookupEmpty } from './lookup-empty.tsx';
import { LookupFailure } from './lookup-failure.tsx';
import { LookupHead } from './lookup-head.tsx';
import { LookupWaiting } from './lookup-waiting.tsx';
import { NoHash } from './no-hash.tsx';

export function LookupView() {
  const { state, stopWaiting, backToChoice } = useLookupDesk();
  const view = useRef<HTMLDivElement>(null);
  const scan = useSampleScan();

  const goBack = (): void => {
    if (state.kind === 'asking') stopWaiting();
    else if ('choice' in state && state.choice.found.length > 1) backToChoice();
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
      {state.kind === 'choosing' && <FoundHashes choice={state.choice} />}
      {state.kind === 'asking' && <LookupWaiting key={`${state.workspaceId}:${state.hash.value}`} state={state} />}
      {state.kind === 'failed' && (
        <LookupFailure failure={state.failure} hash={state.hash} workspaceId={state.workspaceId} />
      )}
      {state.kind === 'found' && (
        <FoundSample key={`${state.workspaceId}:${state.result.asked}`} found={state} scan={scan} />
      )}
    </div>
  );
}
