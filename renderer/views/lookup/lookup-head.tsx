import { ArrowLeft } from 'lucide-react';
import { useLookupDesk } from '../../app/lookup-desk.tsx';
import type { SampleScan } from '../../app/sample/use-sample-scan.ts';
import { Button } from '../../components/button.tsx';
import { useLate } from '../../components/use-late.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { FoundActions } from './found-sample.tsx';
import { HashField } from './hash-field.tsx';
import styles from './lookup.module.css';
import { text } from './text.ts';

export function LookupHead({ scan }: { scan: SampleScan }) {
  const { state, backToChoice } = useLookupDesk();
  const count = 'choice' in state ? state.choice.found.length : 0;
  return (
    <div className={classNames(layout.row, layout.top, styles.head)} data-pane>
      <h1 className={styles.title}>{text.title}</h1>
      <HashField />
      <p className={classNames(typography.note, styles.outcome)} role="status">
        <Outcome />
      </p>
      {count > 1 && state.kind !== 'choosing' && (
        <Button look="quiet" onPress={backToChoice}>
          <ArrowLeft size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.backToChoice(count)}
        </Button>
      )}
      <span className={layout.grow} />
      {state.kind === 'found' && <FoundActions found={state} scan={scan} />}
    </div>
  );
}

function Outcome() {
  const { state } = useLookupDesk();
  const isLate = useLate(state.kind === 'asking');
  if (isLate) return text.asking;
  if (state.kind === 'found') return text.found(state.result.elapsedMs);
  return state.kind === 'failed' && state.failure.kind === 'unknown-hash' ? text.notFound : null;
}
