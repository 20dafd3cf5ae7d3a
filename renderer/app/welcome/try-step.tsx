import type { ReactNode } from 'react';
import { useAction } from '../../bridge/use-action.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { KeyCap } from '../../components/key-cap.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { LabFailure, useLabFailure } from '../lab-failure.tsx';
import { useLookupDesk } from '../lookup-desk.tsx';
import { useNavigation } from '../navigation.tsx';
import { usePaletteContext } from '../palette/palette-provider.tsx';
import { useWorkspaces } from '../use-workspaces.ts';
import { text } from './text.ts';
import styles from './welcome.module.css';

const specimensShown = 4;

/** First things to do, in the workspace that was chosen. */
export function TryStep() {
  const { current } = useWorkspaces();
  const { openRoom } = useNavigation();
  const { desk } = usePaletteContext();
  return (
    <div className={styles.rows}>
      {current?.builtIn === true ? (
        <Thing title={text.trySample} sentence={text.trySampleSentence}>
          <Specimens />
        </Thing>
      ) : (
        <Thing title={text.tryHash} sentence={text.tryHashSentence}>
          <Button onPress={() => openRoom('lookup')}>{text.openLookup}</Button>
        </Thing>
      )}
      {current !== null && current.ruleEditor !== null && <RuleCheck workspaceId={current.id} />}
      <Thing title={text.tryPalette} sentence={text.tryPaletteSentence}>
        <Button onPress={desk.open} data-opens-palette>
          {text.openPalette}
          <KeyCap>Ctrl K</KeyCap>
        </Button>
      </Thing>
    </div>
  );
}

function Thing({ title, sentence, children }: { title: string; sentence: string; children: ReactNode }) {
  return (
    <section className={styles.thing} aria-label={title}>
      <h3 className={styles.rowTitle}>{title}</h3>
      <p className={styles.sentence}>{sentence}</p>
      {children}
    </section>
  );
}

function Specimens() {
  const { ask } = useLookupDesk();
  const { openRoom } = useNavigation();
  const { data, error, refetch } = useOperation('lab.specimens', {});
  const labFailure = useLabFailure();
  if (error)
    return (
      <FailureNotice failure={error} retry={{ name: 'lab.specimens', input: {} }} onRetry={() => void refetch()} />
    );
  if (labFailure !== null) return <LabFailure />;
  if (!data || data.specimens.length === 0)
    return (
      <p className={styles.sentence} role="status">
        {text.labStarting}
      </p>
    );
  const lookUp = (md5: string): void => {
    ask(md5);
    openRoom('lookup');
  };
  return (
    <div className={styles.buttons}>
      {data.specimens.slice(0, specimensShown).map(({ md5, name }) => (
        <Button key={md5} size="small" onPress={() => lookUp(md5)}>
          <SampleName name={name} longest={32} />
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
