import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, FilePen, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import { dayOf } from '../../../shared/domain/clock.ts';
import { defang } from '../../../shared/domain/defang.ts';
import type { QueryFieldName } from '../../../shared/domain/query-fields.ts';
import { type Json, type SampleRecord, sandboxWords, virusTotalWords } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatExactSize, words } from '../../components/format.ts';
import { JsonTree } from '../../components/json-tree.tsx';
import { Menu } from '../../components/menu.tsx';
import { Notice } from '../../components/notice.tsx';
import { LongText, TimeText } from '../../components/service-text.tsx';
import { useLate } from '../../components/use-late.ts';
import { keys } from '../../keyboard/keys.ts';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { useWorkspaceNames, useWorkspaces } from '../../state/workspaces.tsx';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Value } from '../library/value-menu.tsx';
import { type LastAnswer, useLastAnswer } from '../lookup/last-answer.tsx';
import { RecordChangeDialog } from '../servers/record-change-dialog.tsx';
import { useServerActions } from '../servers/server-actions.tsx';
import { text as serversText } from '../servers/strings.ts';
import { PartHead } from './parts.tsx';
import styles from './sample.module.css';
import type { ReadRecord, ShownSample } from './shown-sample.ts';
import { text } from './strings.ts';

/** A look-up of the sample that was just made, or is under way. */
export interface LookupState {
  number: number;
  isAsking: boolean;
  /** Why its service gave no record. */
  failure: Failure | null;
  elapsedMs: number | null;
  again(): void;
  /** What else can be tried. */
  leads: ReactNode;
}

interface RecordPartProps {
  sample: ShownSample;
  /** The current one. */
  workspaceId: string;
  /** One of its records; null: there is none. */
  shown: ReadRecord | null;
  onChoose(workspaceId: string): void;
  /** The input to refresh the record; null: that cannot be. */
  question: OperationInput<'samples.lookup'> | null;
  /** null: the sample was opened in the library. */
  lookup: LookupState | null;
}

/** A repository's record of the sample: of one workspace, with a choice if several have one. */
export function RecordPart({ sample, workspaceId, shown, onChoose, question, lookup }: RecordPartProps) {
  const facts = recordFacts(shown?.record ?? null, sample);
  const change = shown !== null && (
    <ChangeRecord md5={shown.record.md5} workspaceId={shown.workspaceId} localTags={sample.tags} />
  );
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="record">
      {lookup !== null && question !== null && <LookupHead question={question} lookup={lookup} action={change} />}
      {lookup === null && question !== null && <RefreshHead question={question} shown={shown} action={change} />}
      {question === null && <PartHead id="record" title={text.record} action={change} />}
      {shown === null && lookup?.isAsking !== true && <p className={typography.aside}>{text.noRecord}</p>}
      {shown !== null && <RecordOf records={sample.records} shown={shown} onChoose={onChoose} />}
      {shown !== null && facts.every(({ isHere }) => isHere) && <p className={typography.aside}>{text.nothingMore}</p>}
      {facts.length > 0 && <FactList facts={facts} workspaceId={shown?.workspaceId ?? workspaceId} />}
    </section>
  );
}

interface LookupHeadProps {
  question: OperationInput<'samples.lookup'>;
  lookup: LookupState;
  action: ReactNode;
}

/** What its service does with the look-up. What is known here is shown below it meanwhile, and if it fails. */
function LookupHead({ question, lookup: { isAsking, failure, elapsedMs, again, leads }, action }: LookupHeadProps) {
  const isLate = useLate(isAsking);
  const nameOf = useWorkspaceNames();
  return (
    <>
      <PartHead
        id="record"
        title={text.record}
        aside={
          isLate ? text.fetching(nameOf(question.workspaceId)) : elapsedMs === null ? null : text.answeredIn(elapsedMs)
        }
        action={action}
      />
      {failure !== null && !isAsking && (
        <div className={styles.reportedHits}>
          <FailureNotice
            failure={failure}
            meaning={meaningOf(failure)}
            after={text.knownHereStays}
            retry={{ name: 'samples.lookup', input: question }}
            onRetry={again}
            action={<FailureRemedy failure={failure} />}
          />
          {leads}
        </div>
      )}
    </>
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

interface RecordOfProps {
  records: readonly ReadRecord[];
  shown: ReadRecord;
  onChoose(workspaceId: string): void;
}

/** Whose record it is, and when it was read. */
function RecordOf({ records, shown, onChoose }: RecordOfProps) {
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

const charactersShown = 300;

/** A record may have hundreds of addresses. */
const factsShown = 50;
const moreFacts = 200;

/** A value that can be searched for leads on; one of any length is read whole first. */
function FactValue({ fact: { value, kind, search, isHere }, workspaceId }: { fact: RecordFact; workspaceId: string }) {
  const shown =
    kind === 'time' ? (
      <TimeText sent={value} />
    ) : (
      <bdi>
        <LongText text={value} charactersShown={charactersShown} />
      </bdi>
    );
  if (search === null || value.length > charactersShown) return shown;
  return (
    <Value field={search.field} value={search.value} copied={value} workspaceId={workspaceId} isLocal={isHere}>
      {shown}
    </Value>
  );
}

function FactList({ facts, workspaceId }: { facts: readonly RecordFact[]; workspaceId: string }) {
  const [shown, setShown] = useState(factsShown);
  const left = facts.length - shown;
  return (
    <>
      <dl className={styles.fieldNames}>
        {facts.slice(0, shown).map((line, index) => (
          <div key={`${index}:${line.name}`} className={classNames(layout.grid12, styles.fact)}>
            <dt>
              {line.name === facts[index - 1]?.name ? <span className={aloud.only}>{line.name}</span> : line.name}
            </dt>
            <dd
              className={classNames(
                line.kind === 'mono' && typography.mono,
                line.kind === 'missing' && typography.hint,
              )}
            >
              <FactValue fact={line} workspaceId={workspaceId} />
              {line.isHere && line.kind !== 'missing' && (
                <span className={styles.here} title={text.hereWhy}>
                  {text.verdict.here}
                </span>
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

/**
 * One line of the record. A `time` is shown with its zone or as server time; `mono` is read character by character; a
 * `missing` one has its place before it is known.
 */
interface RecordFact {
  name: string;
  value: string;
  kind: 'text' | 'mono' | 'time' | 'missing';
  /** Known by this computer, and not by the record, which may state another value. */
  isHere: boolean;
  /** How it is searched for; null: it is not. */
  search: { field: QueryFieldName; value: string } | null;
}

const namesShown = 3;

/**
 * The known fields that were sent, in a fixed order, each with what this computer knows otherwise; one that neither has
 * has no line.
 */
function recordFacts(record: SampleRecord | null, sample: ShownSample): RecordFact[] {
  const { name, names, vault, type, sizeBytes } = sample;
  const { fields } = text;
  const localNames = [...new Set([...(record === null ? [name] : []), ...names.map((given) => given.name)])];
  const otherNames = localNames.filter((one) => one !== null && one !== record?.name).slice(0, namesShown);
  return [
    ...(record === null ? [] : verdictFacts(record)),
    fact(fields.name, record?.name ?? null, { field: 'name' }),
    ...otherNames.map((one) => hereFact(fact(fields.name, one, { field: 'name' }))),
    hereFact(fact(fields.type, type === record?.mime ? null : type, { field: 'type' })) ??
      missing(fields.type, vault === 'none' ? words.notKnownYet : text.notRecognized),
    fact(fields.mime, record?.mime ?? null, { field: 'mime' }),
    // The library has one size of a sample: where it is another, that of the record is not searched for.
    sizeFact(record?.sizeBytes ?? null, sizeBytes === null || sizeBytes === record?.sizeBytes),
    hereFact(sizeBytes === record?.sizeBytes ? null : sizeFact(sizeBytes, true)) ??
      (typeof record?.sizeBytes === 'number' ? null : missing(fields.size, words.notKnownYet)),
    ...(record === null ? [] : furtherFacts(record)),
  ].filter((line) => line !== null);
}

function furtherFacts(record: SampleRecord): (RecordFact | null)[] {
  const { fields } = text;
  return [
    fact(fields.date, record.date, { kind: 'time', field: 'date', sought: dayOf(record.date ?? '') }),
    fact(fields.uploader, record.uploader, { field: 'uploader' }),
    fact(fields.signer, record.signer, { field: 'signer' }),
    fact(fields.imphash, record.imphash, { kind: 'mono', field: 'imphash' }),
    fact(fields.ssdeep, record.ssdeep, { kind: 'mono', field: 'ssdeep' }),
    fact(fields.pdbPath, record.pdbPath, { kind: 'mono', field: 'pdb' }),
    fact(fields.favorite, yesNo(record.favorite), { field: 'favorite' }),
    fact(fields.locked, yesNo(record.locked), { field: 'locked' }),
    ...record.urls.map(({ name, url }) =>
      fact(fields.url, name === '' || name === url ? url : `${name}: ${url}`, {
        field: 'url',
        sought: url.trim() === '' ? name : url,
      }),
    ),
  ];
}

/** What others say of it. */
function verdictFacts(record: SampleRecord): (RecordFact | null)[] {
  const { fields, criticity } = text;
  const { score, link } = record.virusTotal;
  const [virusTotal, sandbox] = [virusTotalWords(record), sandboxWords(record)];
  return [
    fact(fields.criticity, record.criticity && criticity[record.criticity], { field: 'severity' }),
    fact(fields.threat, record.threat, { field: 'threat' }),
    fact(fields.virusTotal, joined(virusTotal, score, link), {
      field: 'vt',
      sought: virusTotal ?? score ?? link,
    }),
    fact(fields.sandbox, joined(sandbox, record.sandbox.link), {
      field: 'sandbox',
      sought: sandbox ?? record.sandbox.link,
    }),
  ];
}

const hereFact = (line: RecordFact | null): RecordFact | null => line && { ...line, isHere: true };

const sizeFact = (bytes: number | null, isSearched: boolean): RecordFact | null =>
  bytes === null
    ? null
    : fact(text.fields.size, formatExactSize(bytes), isSearched ? { field: 'size', sought: String(bytes) } : {});

/** Known once its bytes are here. It has a line before, so that nothing moves then. */
const missing = (name: string, value: string): RecordFact => ({
  name,
  value,
  kind: 'missing',
  isHere: true,
  search: null,
});

function fact(
  name: string,
  value: string | null,
  {
    kind = 'text',
    field,
    sought = value,
  }: { kind?: RecordFact['kind']; field?: QueryFieldName; sought?: string | null } = {},
): RecordFact | null {
  if (value === null || value.trim() === '') return null;
  const search = field === undefined || sought === null ? null : { field, value: sought };
  return { name, value: kind === 'time' ? value : defang(visibleText(value)), kind, isHere: false, search };
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
