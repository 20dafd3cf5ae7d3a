import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, FilePen, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import { defang } from '../../../shared/domain/defang.ts';
import { type Json, type SampleRecord, sandboxWords, virusTotalWords } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle, formatExactSize } from '../../components/format.ts';
import { JsonTree } from '../../components/json-tree.tsx';
import { Menu } from '../../components/menu.tsx';
import { Notice } from '../../components/notice.tsx';
import { LongText, TimeText } from '../../components/service-text.tsx';
import { keys } from '../../keyboard/keys.ts';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { type LastAnswer, useLastAnswer } from '../lookup/last-answer.tsx';
import { RecordChangeDialog } from '../servers/record-change-dialog.tsx';
import { useServerActions } from '../servers/server-actions.tsx';
import { text as serversText } from '../servers/strings.ts';
import { PartHead } from './parts.tsx';
import styles from './sample.module.css';
import type { ReadRecord } from './shown-sample.ts';
import { text } from './strings.ts';

const longestName = 28;

interface RecordPartProps {
  records: readonly ReadRecord[];
  /** One of them; null: there is none. */
  shown: ReadRecord | null;
  onChoose(workspaceId: string): void;
  /** The input to refresh the record; null: that is done elsewhere, or cannot be. */
  question: OperationInput<'samples.lookup'> | null;
  /** Of this computer alone. */
  localTags: readonly string[];
}

/** A repository's record of the sample: of one workspace, with a choice if several have one. */
export function RecordPart({ records, shown, onChoose, question, localTags }: RecordPartProps) {
  const facts = shown === null ? [] : recordFacts(shown.record);
  const change = shown !== null && (
    <ChangeRecord md5={shown.record.md5} workspaceId={shown.workspaceId} localTags={localTags} />
  );
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="record">
      {question === null ? (
        <PartHead id="record" title={text.record} aside={text.asSent} action={change} />
      ) : (
        <RefreshHead question={question} shown={shown} action={change} />
      )}
      {shown === null && <p className={typography.aside}>{text.noRecord}</p>}
      {shown !== null && <RecordOf records={records} shown={shown} onChoose={onChoose} />}
      {shown !== null && facts.length === 0 && <p className={typography.aside}>{text.nothingMore}</p>}
      {facts.length > 0 && <FactList facts={facts} names="of the service" />}
    </section>
  );
}

interface ChangeRecordProps {
  workspaceId: string;
  /** Of the record; null: it names none. */
  md5: string | null;
  localTags: readonly string[];
}

/** Only where the repository was seen to allow it. */
function ChangeRecord({ workspaceId, md5, localTags }: ChangeRecordProps) {
  const { isUsable } = useServerActions(workspaceId);
  const [isOpen, setOpen] = useState(false);
  if (md5 === null || !isUsable('updatefile')) return null;
  return (
    <>
      <Button size="small" look="quiet" onPress={() => setOpen(true)}>
        <FilePen size={14} strokeWidth={1.6} aria-hidden="true" />
        {serversText.change}
      </Button>
      {isOpen && (
        <RecordChangeDialog workspaceId={workspaceId} md5={md5} localTags={localTags} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** Whose record it is, and when it was read. */
function RecordOf({ records, shown, onChoose }: Pick<RecordPartProps, 'records' | 'onChoose'> & { shown: ReadRecord }) {
  const { workspaces } = useWorkspaces();
  const workspace = workspaces.find(({ id }) => id === shown.workspaceId);
  const nameOf = useWorkspaceNames();
  return (
    <>
      <div className={classNames(layout.row, styles.recordOf)}>
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
        <span className={typography.hint}>
          {text.readAt} {shown.readAt === null ? text.justNow : <TimeText sent={shown.readAt} />}
        </span>
      </div>
      {shown.record.warning !== null && (
        <Notice meaning="warn" title={text.behindWarning}>
          <bdi>{text.behindWarningThen(defang(visibleText(shown.record.warning)))}</bdi>
        </Notice>
      )}
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

interface RefreshHeadProps {
  question: OperationInput<'samples.lookup'>;
  shown: ReadRecord | null;
  action: ReactNode;
}

function RefreshHead({ question, shown, action }: RefreshHeadProps) {
  const { current } = useWorkspaces();
  const nameOf = useWorkspaceNames();
  const { ask, isAsking, failure } = useRecordRefresh(question);
  // Beside a record of the current workspace, naming the service is redundant.
  const isPlain = shown === null || shown.workspaceId === current?.id;
  const retry = { name: 'samples.lookup', input: question } as const;
  return (
    <>
      <PartHead
        id="record"
        title={text.record}
        action={
          <>
            {action}
            <Button size="small" look="quiet" letter={keys.sample.refresh.keys} isDisabled={isAsking} onPress={ask}>
              <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
              <bdi>{isPlain ? text.again : text.ask(nameOf(question.workspaceId))}</bdi>
            </Button>
          </>
        }
      />
      {failure !== null && (
        <div className={styles.reportedHits}>
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

export function VerdictsPart({ record }: { record: SampleRecord | null }) {
  const facts = record === null ? [] : verdictFacts(record);
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="verdicts">
      <PartHead id="verdicts" title={text.verdicts} />
      {facts.length === 0 ? (
        <p className={typography.aside}>{text.noVerdicts}</p>
      ) : (
        <FactList facts={facts} names="ours" />
      )}
    </section>
  );
}

const charactersShown = 300;

interface FactListProps {
  facts: readonly RecordFact[];
  /** Whose words the names are: a service's field names are mono, as it wrote them. */
  names: 'ours' | 'of the service';
}

/** A record may have hundreds of addresses. */
const factsShown = 50;
const moreFacts = 200;

function FactList({ facts, names }: FactListProps) {
  const [shown, setShown] = useState(factsShown);
  const left = facts.length - shown;
  return (
    <>
      <dl className={classNames(names === 'of the service' && styles.fieldNames)}>
        {facts.slice(0, shown).map((line, index) => (
          <div key={`${index}:${line.name}`} className={classNames(layout.grid12, styles.fact)}>
            <dt>{line.name}</dt>
            <dd className={classNames(line.kind === 'mono' && typography.mono)}>
              {line.kind === 'time' ? (
                <TimeText sent={line.value} />
              ) : (
                <bdi>
                  <LongText text={line.value} charactersShown={charactersShown} />
                </bdi>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {left > 0 && (
        <Button size="small" look="quiet" onPress={() => setShown(shown + moreFacts)}>
          {text.moreFacts(Math.min(left, moreFacts))}
        </Button>
      )}
    </>
  );
}

/** One line of the record. A `time` is shown with its zone or as server time; `mono` is read character by character. */
interface RecordFact {
  name: string;
  value: string;
  kind: 'text' | 'mono' | 'time';
}

/** The known fields that were sent, in a fixed order; one that was not sent has no line. */
function recordFacts(record: SampleRecord): RecordFact[] {
  const { fields } = text;
  return [
    fact(fields.date, record.date, 'time'),
    fact(fields.uploader, record.uploader),
    fact(fields.mime, record.mime),
    fact(fields.size, record.sizeBytes === null ? null : formatExactSize(record.sizeBytes)),
    fact(fields.signer, record.signer),
    fact(fields.imphash, record.imphash, 'mono'),
    fact(fields.ssdeep, record.ssdeep, 'mono'),
    fact(fields.pdbPath, record.pdbPath, 'mono'),
    fact(fields.favorite, yesNo(record.favorite)),
    fact(fields.locked, yesNo(record.locked)),
    ...record.urls.map(({ name, url }) => fact(fields.url, name === '' || name === url ? url : `${name}: ${url}`)),
  ].filter((line) => line !== null);
}

/** What others say of it. */
function verdictFacts(record: SampleRecord): RecordFact[] {
  const { fields, criticity } = text;
  const { score, link } = record.virusTotal;
  return [
    fact(fields.threat, record.threat),
    fact(fields.criticity, record.criticity && criticity[record.criticity]),
    fact(fields.virusTotal, joined(virusTotalWords(record), score, link)),
    fact(fields.sandbox, joined(sandboxWords(record), record.sandbox.link)),
  ].filter((line) => line !== null);
}

function fact(name: string, value: string | null, kind: RecordFact['kind'] = 'text'): RecordFact | null {
  if (value === null || value.trim() === '') return null;
  return { name, value: kind === 'time' ? value : defang(visibleText(value)), kind };
}

function joined(...parts: readonly (string | null)[]): string | null {
  const given = parts.filter((part) => part !== null && part !== '');
  return given.length === 0 ? null : given.join(', ');
}

function yesNo(value: boolean | null): string | null {
  return value === null ? null : value ? text.yes : text.no;
}

/** Everything the reader does not know, under the service's own names: nothing that was sent is hidden. */
export function FurtherFields({ fields }: { fields: { readonly [name: string]: Json } }) {
  if (Object.keys(fields).length === 0) return null;
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="further-fields">
      <PartHead id="further-fields" title={text.more} aside={text.moreAside} />
      <JsonTree label={text.more} value={fields} />
    </section>
  );
}

interface RecordRefresh {
  ask(): void;
  isAsking: boolean;
  /** Why the last asking gave no record; null where another service is meant by now. */
  failure: Failure | null;
}

/** Fetches the record from a repository once more. The library stores the answer, and the page shows it from there. */
function useRecordRefresh(input: OperationInput<'samples.lookup'>): RecordRefresh {
  const bridge = useBridge();
  const client = useQueryClient();
  const { note } = useLastAnswer();
  const [isAsking, setAsking] = useState(false);
  const [last, setLast] = useState<LastAnswer | null>(null);
  const ask = async (): Promise<void> => {
    setAsking(true);
    const answer = await bridge.call('samples.lookup', { ...input, firstComments: 0 });
    const came = { workspaceId: input.workspaceId, failure: answer.ok ? null : answer.failure };
    setAsking(false);
    setLast(came);
    note(came);
    if (!answer.ok) return;
    for (const name of ['library.sample', 'comments.thread']) void client.invalidateQueries({ queryKey: [name] });
  };
  return { ask: () => void ask(), isAsking, failure: last?.workspaceId === input.workspaceId ? last.failure : null };
}
