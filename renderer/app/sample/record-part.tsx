import { ChevronDown, RotateCcw } from 'lucide-react';
import type { OperationInput } from '../../../shared/contract.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { Notice } from '../../components/notice.tsx';
import { TimeText } from '../../components/service-text.tsx';
import { FailureRemedy, meaningOf } from '../failure-remedy.tsx';
import { useWorkspaces } from '../use-workspaces.ts';
import { FactList } from './fact-list.tsx';
import { PartHead } from './part-head.tsx';
import parts from './parts.module.css';
import { recordFacts } from './record-facts.ts';
import styles from './record-part.module.css';
import type { ReadRecord } from './shown-sample.ts';
import { text } from './text.ts';
import { useAskAgain } from './use-ask-again.ts';

const longestName = 28;

export interface RecordPartProps {
  records: readonly ReadRecord[];
  /** One of them; null: there is none. */
  shown: ReadRecord | null;
  onChoose(workspaceId: string): void;
  /** What its service is asked with anew; null: that is done elsewhere, or cannot be. */
  question: OperationInput<'samples.lookup'> | null;
}

/** What a repository says of the sample: of one workspace, and a choice where several said something. */
export function RecordPart({ records, shown, onChoose, question }: RecordPartProps) {
  const facts = shown === null ? [] : recordFacts(shown.record);
  return (
    <section className={parts.part} aria-labelledby="record">
      {question === null ? (
        <PartHead id="record" title={text.record} aside={text.asSent} />
      ) : (
        <AskingHead question={question} shown={shown} />
      )}
      {shown === null && <p className={parts.nothing}>{text.noRecord}</p>}
      {shown !== null && <RecordOf records={records} shown={shown} onChoose={onChoose} />}
      {shown !== null && facts.length === 0 && <p className={parts.nothing}>{text.nothingMore}</p>}
      {facts.length > 0 && <FactList facts={facts} names="of the service" />}
    </section>
  );
}

/** Whose record it is, and when it was read. */
function RecordOf({ records, shown, onChoose }: Pick<RecordPartProps, 'records' | 'onChoose'> & { shown: ReadRecord }) {
  const { workspaces } = useWorkspaces();
  const workspace = workspaces.find(({ id }) => id === shown.workspaceId);
  const nameOf = useWorkspaceNames();
  return (
    <>
      <div className={styles.recordOf}>
        {records.length > 1 ? (
          <Menu
            label={text.recordOf}
            choices={records.map(({ workspaceId }) => ({ id: workspaceId, text: nameOf(workspaceId) }))}
            onChoose={onChoose}
            trigger={
              <Button size="small" aria-label={`${text.recordOf} ${nameOf(shown.workspaceId)}`}>
                <bdi>{nameOf(shown.workspaceId)}</bdi>
                <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
              </Button>
            }
          />
        ) : (
          <bdi>{nameOf(shown.workspaceId)}</bdi>
        )}
        <span className={parts.aside}>
          {text.readAt} {shown.readAt === null ? text.justNow : <TimeText sent={shown.readAt} />}
        </span>
      </div>
      {workspaces.length > 0 && workspace === undefined && (
        <Notice meaning="info" title={text.workspaceGone}>
          {text.workspaceGoneThen}
        </Notice>
      )}
    </>
  );
}

function useWorkspaceNames(): (workspaceId: string) => string {
  const { workspaces } = useWorkspaces();
  return (workspaceId) => {
    const known = workspaces.find(({ id }) => id === workspaceId);
    return known === undefined ? text.removedWorkspace : visibleText(cutMiddle(known.name, longestName));
  };
}

function AskingHead({ question, shown }: { question: OperationInput<'samples.lookup'>; shown: ReadRecord | null }) {
  const { current } = useWorkspaces();
  const nameOf = useWorkspaceNames();
  const { ask, isAsking, failure } = useAskAgain(question);
  // Beside a record of the current workspace nobody has to be told who is asked.
  const isPlain = shown === null || shown.workspaceId === current?.id;
  const retry = { name: 'samples.lookup', input: question } as const;
  return (
    <>
      <PartHead
        id="record"
        title={text.record}
        action={
          <Button size="small" look="quiet" letter="R" isDisabled={isAsking} onPress={ask}>
            <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
            <bdi>{isPlain ? text.again : text.ask(nameOf(question.workspaceId))}</bdi>
          </Button>
        }
      />
      {failure !== null && (
        <div className={parts.toldHits}>
          <FailureNotice
            failure={failure}
            meaning={meaningOf(failure)}
            retry={retry}
            onRetry={ask}
            action={<FailureRemedy failure={failure} />}
          />
        </div>
      )}
    </>
  );
}
