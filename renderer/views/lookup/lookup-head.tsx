import { ArrowLeft } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { useLate } from '../../components/use-late.ts';
import { useLookupStore } from '../../features/lookup/lookup-store.tsx';
import type { SampleScan } from '../../features/scans/start-scan.ts';
import { FoundActions } from './found-sample.tsx';
import { HashField } from './hash-field.tsx';
import styles from './lookup.module.css';
import { text } from './text.ts';

export function LookupHead({ scan }: { scan: SampleScan }) {
  const { state, backToChoice } = useLookupStore();
  const count = 'choice' in state ? state.choice.found.length : 0;
  return (
    <div className={styles.head} data-pane>
      <h1 className={styles.title}>{text.title}</h1>
      <HashField />
      <p className={styles.outcome} role="status">
        <Outcome />
      </p>
      {count > 1 && state.kind !== 'choosing' && (
        <Button look="quiet" onPress={backToChoice}>
          <ArrowLeft size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.backToChoice(count)}
        </Button>
      )}
      <span className={styles.push} />
      {state.kind === 'found' && <FoundActions found={state} scan={scan} />}
    </div>
  );
}

function Outcome() {
  const { state } = useLookupStore();
  const isLate = useLate(state.kind === 'asking');
  if (isLate) return text.asking;
  if (state.kind === 'found') return text.found(state.result.elapsedMs);
  return state.kind === 'failed' && state.failure.kind === 'unknown-hash' ? text.notFound : null;
}
