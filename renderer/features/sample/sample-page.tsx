import { ArrowLeft, SearchX } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useLate } from '../../components/use-late.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { isTyping } from '../../keyboard/single-letters.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useLookupDesk } from '../lookup/lookup-store.tsx';
import parts from './parts.module.css';
import { SampleActions } from './sample-actions.tsx';
import { SampleBody } from './sample-body.tsx';
import styles from './sample-page.module.css';
import { text } from './text.ts';
import { useSampleScan } from './use-sample-scan.ts';
import { useSample } from './use-sample.ts';

export interface SamplePageProps {
  /** Any of its hashes. */
  hash: string;
  /** To where one came from: asked for by the button, and by Escape. */
  onBack(): void;
}

/** All that this desk knows of one sample. Asks no service by itself. */
export function SamplePage({ hash, onBack }: SamplePageProps) {
  const view = useRef<HTMLDivElement>(null);
  const scan = useSampleScan();
  const { atHand, failure, readAgain } = useSample(hash);
  const isGone = failure?.kind === 'not-in-library';
  const isLate = useLate(atHand === null && failure === null);
  useKeptFocus(view);
  const onKeyDown = useLetterButtons(view, (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isTyping(event)) onBack();
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of the buttons inside
    <div ref={view} className={styles.view} onKeyDown={onKeyDown}>
      <ViewHead title={text.title} isLanding wrapsBelow={800}>
        <Button look="quiet" onPress={onBack}>
          <ArrowLeft size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.back}
        </Button>
        <ViewLine role="status">{isLate && text.reading}</ViewLine>
        {atHand !== null && !isGone && <SampleActions atHand={atHand} scan={scan} />}
      </ViewHead>
      {isGone && <Gone hash={hash} />}
      {failure !== null && !isGone && atHand === null && (
        <div className={parts.part}>
          <FailureNotice failure={failure} retry={{ name: 'library.sample', input: { hash } }} onRetry={readAgain} />
        </div>
      )}
      {atHand !== null && !isGone && (
        <SampleBody
          key={hash}
          atHand={atHand}
          hash={hash}
          asked={null}
          scan={scan}
          failure={failure}
          onReadAgain={readAgain}
        />
      )}
    </div>
  );
}

function Gone({ hash }: { hash: string }) {
  const { ask } = useLookupDesk();
  const { openRoom } = useNavigation();
  const lookUp = (): void => {
    ask(hash);
    openRoom('lookup');
  };
  return (
    <EmptyState
      icon={<SearchX size={20} strokeWidth={1.6} />}
      title={text.goneTitle}
      sentence={text.goneSentence}
      action={
        <Button look="primary" onPress={lookUp}>
          {text.lookUpAgain}
        </Button>
      }
    />
  );
}
