import { useEffect, useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { type LookupState, useLookupDesk } from '../../app/lookup-desk.tsx';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { Button } from '../../components/button.tsx';
import { useLate } from '../../components/use-late.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { AskedHash } from './asked-hash.tsx';
import styles from './lookup.module.css';
import { RejectedRuns } from './rejected-runs.tsx';
import { text } from './text.ts';

/** A quick answer needs no words. A slow one says whom it waits for, how long, and lets go when it is told to. */
export function LookupWaiting({ state: { hash, choice } }: { state: Extract<LookupState, { kind: 'asking' }> }) {
  const isLate = useLate(true);
  return (
    <div className={classNames(layout.stack12, layout.scroll, styles.body)} data-pane aria-busy="true">
      {isLate && <AskedHash hash={hash} />}
      {isLate && <Waiting />}
      <RejectedRuns runs={choice.rejected} />
    </div>
  );
}

function Waiting() {
  const { stopWaiting } = useLookupDesk();
  const { current } = useWorkspaces();
  const seconds = useSeconds();
  return (
    <div className={classNames(layout.stack4, styles.waiting)}>
      <p data-figures>{text.waitingFor(visibleText(current?.name ?? ''), seconds)}</p>
      <p className={typography.sentence}>{text.waitingThen}</p>
      <div>
        <Button size="small" onPress={stopWaiting}>
          {text.stopWaiting}
        </Button>
      </div>
    </div>
  );
}

/** Since it appeared, which is 300 ms after the question. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}
