import { useQueries, type UseQueryOptions } from '@tanstack/react-query';
import { EqualNot, SearchX, VolumeX } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { OperationInput, OperationName, OperationOutput } from '../../../shared/contract.ts';
import { defang } from '../../../shared/domain/defang.ts';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { visibleLine, visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useOperation, valueOf } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatExactSize } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { LongText, SampleName, TagChip, TimeText } from '../../components/service-text.tsx';
import { SeverityWord } from '../../components/severity.tsx';
import { TlpLamp } from '../../components/tlp-select.tsx';
import { useLate } from '../../components/use-late.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './compare.module.css';
import {
  type ComparedFact,
  type ComparedSample,
  comparisonMarkdown,
  compareSamples,
  type FactValue,
  isMutedIn,
  type ItemKind,
} from './comparison.ts';
import { mostCompared, text } from './strings.ts';

const shownDigits = 12;
/** The rest of a value is one press away. */
const charactersShown = 240;
const charactersOfName = 100;
const itemsShown = 60;
/** CSS pixels: the column of the names, and the least for a sample. Four fit into a window of 1024. */
const labelWidth = 128;
const leastWidth = 180;

interface CompareDialogProps {
  selection: LibrarySelection;
  onClose(): void;
}

/** Samples beside each other, one fact a row. */
export function CompareDialog({ selection, onClose }: CompareDialogProps) {
  const { current } = useWorkspaces();
  const workspaceId = current?.id ?? '';
  const { samples, gone, isReading, failure, readAgain } = useComparedSamples(selection, workspaceId);
  const isLate = useLate(isReading);
  const [chosen, setOnly] = useState<boolean | null>(null);
  const facts = useMemo(() => compareSamples(samples, workspaceId), [samples, workspaceId]);
  const isComparable = !isReading && samples.length >= 2;
  const hasDifferences = facts.some(({ state }) => state === 'differs');
  const isOnly = hasDifferences && chosen !== false;
  const shown = isOnly ? facts.filter(({ state }) => state === 'differs') : facts;
  const counts = countWords(facts);
  return (
    <Dialog
      title={isComparable ? text.title(samples.length) : text.titleAtFirst}
      isOpen
      onClose={onClose}
      full
      actions={
        <>
          {isComparable && (
            <CopyButton label={text.copy} text={() => comparisonMarkdown(samples, shown, isOnly ? `${counts}.` : '')} />
          )}
          <Button onPress={onClose} takesFocus>
            {text.close}
          </Button>
        </>
      }
    >
      {isLate && (
        <p role="status" className={typography.muted}>
          {text.reading}
        </p>
      )}
      {failure !== null && <FailureNotice failure={failure} onAgain={readAgain} />}
      {gone.length > 0 && (
        <Notice meaning="warn" title={text.gone(gone.map((hash) => hash.slice(0, shownDigits)))} isAlert />
      )}
      {!isReading && failure === null && !isComparable && (
        <EmptyState
          icon={<SearchX size={20} strokeWidth={1.6} />}
          title={text.noneTitle}
          sentence={text.noneSentence}
        />
      )}
      {isComparable && (
        <>
          <div className={layout.wrapRow8}>
            <Checkbox isSelected={isOnly} isDisabled={!hasDifferences} onChange={setOnly}>
              {text.only}
            </Checkbox>
            <p className={typography.note} role="status" data-figures>
              {hasDifferences ? counts : `${text.noDifference}. ${counts}`}
            </p>
          </div>
          <FactTable samples={samples} facts={shown} />
        </>
      )}
    </Dialog>
  );
}

function countWords(facts: readonly ComparedFact[]): string {
  const countOf = (meant: ComparedFact['state']): number => facts.filter(({ state }) => state === meant).length;
  const without = countOf('without');
  return [text.same(countOf('same')), ...(without === 0 ? [] : [text.without(without)])].join(', ');
}

interface ComparedSamples {
  samples: readonly ComparedSample[];
  /** Hashes of those that the library no longer has. */
  gone: readonly string[];
  isReading: boolean;
  /** The first one. */
  failure: Failure | null;
  readAgain(): void;
}

function useComparedSamples(selection: LibrarySelection, workspaceId: string): ComparedSamples {
  const isNamed = selection.kind === 'named';
  const listed = useOperation('library.facts', { selection, after: 0, limit: mostCompared }, { enabled: !isNamed });
  const hashes = isNamed
    ? selection.hashes
    : (listed.data?.samples.flatMap(({ sha256, md5, sha1 }) => sha256 ?? md5 ?? sha1 ?? []) ?? []);
  const read = useEach(
    'library.sample',
    hashes.map((hash) => ({ hash })),
  );
  const known = read.flatMap(({ data }) => data ?? []);
  const scanned = known.flatMap(({ row: { sha256 } }) => sha256 ?? []);
  const hits = useEach('samples.hits', workspaceId === '' ? [] : scanned.map((sha256) => ({ workspaceId, sha256 })));
  const hitsOf = ({ row: { sha256 } }: ComparedSample['sample']): ComparedSample['hits'] => {
    if (sha256 === null) return 'not-scanned';
    const answer = hits[scanned.indexOf(sha256)]?.data;
    if (answer === undefined) return 'not-read';
    return answer.hits.length === 0 && answer.lastScan === null ? 'not-scanned' : answer.hits.map(({ rule }) => rule);
  };
  const mutedOf = ({ row: { sha256 } }: ComparedSample['sample']): string[] =>
    (sha256 === null ? undefined : hits[scanned.indexOf(sha256)]?.data)?.hits.flatMap(({ rule, mute }) =>
      mute === null ? [] : rule,
    ) ?? [];
  const failures = [listed, ...read, ...hits].filter(({ error }) => error !== null && !isGone(error));
  return {
    samples: known.map((sample) => ({ sample, hits: hitsOf(sample), muted: mutedOf(sample) })),
    gone: hashes.filter((_, at) => isGone(read[at]?.error ?? null)),
    isReading: [listed, ...read, ...hits].some(({ isLoading }) => isLoading),
    failure: failures[0]?.error ?? null,
    readAgain: () => failures.forEach(({ refetch }) => void refetch()),
  };
}

const isGone = (failure: Failure | null): boolean => failure?.kind === 'not-in-library';

/** The same operation for each of a few inputs. */
function useEach<N extends OperationName>(name: N, inputs: readonly OperationInput<N>[]) {
  const bridge = useBridge();
  return useQueries<UseQueryOptions<OperationOutput<N>, Failure>[]>({
    queries: inputs.map((input) => ({ queryKey: [name, input], queryFn: () => valueOf(bridge.call(name, input)) })),
  });
}

function FactTable({ samples, facts }: { samples: readonly ComparedSample[]; facts: readonly ComparedFact[] }) {
  return (
    // A region that scrolls is reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} role="region" aria-label={text.table} tabIndex={0}>
      <table className={styles.table} style={{ minWidth: labelWidth + leastWidth * samples.length }}>
        <colgroup>
          <col style={{ width: labelWidth }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{text.fact}</th>
            {samples.map(({ sample: { row } }) => (
              <th key={row.hash} scope="col">
                <span className={classNames(layout.row, styles.head)}>
                  {row.name === null || row.name === '' ? text.unnamed : <SampleName name={row.name} />}
                </span>
                <code className={typography.monoCaption} title={row.hash}>
                  {row.hash.slice(0, shownDigits)}
                </code>
              </th>
            ))}
          </tr>
        </thead>
        {facts.map((fact) => (
          <FactRows key={fact.label} fact={fact} samples={samples} />
        ))}
      </table>
    </div>
  );
}

function FactRows({ fact, samples }: { fact: ComparedFact; samples: readonly ComparedSample[] }) {
  const differs = fact.state === 'differs';
  const hasShared = fact.kind === 'list' && fact.shared.length > 0;
  const hasOthers = fact.kind === 'list' && fact.state !== 'same';
  const isTwoRows = hasShared && hasOthers;
  const label = (
    <th scope={isTwoRows ? 'rowgroup' : 'row'} rowSpan={isTwoRows ? 2 : 1}>
      <span className={layout.inline6}>
        {differs && <EqualNot size={12} strokeWidth={2} aria-hidden="true" />}
        {fact.label}
      </span>
      {differs && <span className={aloud.only}>{` ${text.differs}`}</span>}
    </th>
  );
  const keyed = <T,>(values: readonly T[], draw: (value: T, at: number) => ReactNode): ReactNode =>
    values.map((value, at) => <td key={samples[at]?.sample.row.hash ?? at}>{draw(value, at)}</td>);
  return (
    <tbody className={classNames(differs && styles.differs)}>
      {fact.kind === 'value' && (
        <tr>
          {label}
          {keyed(fact.values, (value) => (
            <Value value={value} />
          ))}
        </tr>
      )}
      {fact.kind === 'list' && hasShared && (
        <tr className={styles.shared}>
          {label}
          <td colSpan={samples.length}>
            <Items label={text.inAll(samples.length)} items={fact.shared} muted={fact.muted} kind={fact.itemKind} />
          </td>
        </tr>
      )}
      {fact.kind === 'list' && hasOthers && (
        <tr>
          {!hasShared && label}
          {keyed(fact.others, (rest, at) => (
            <Others
              rest={rest}
              muted={fact.muted.slice(at, at + 1)}
              kind={fact.itemKind}
              of={samples.length}
              hasShared={hasShared}
            />
          ))}
        </tr>
      )}
    </tbody>
  );
}

interface OthersProps {
  rest: Extract<ComparedFact, { kind: 'list' }>['others'][number];
  muted: readonly ReadonlySet<string>[];
  kind: ItemKind;
  /** How many samples are compared. */
  of: number;
  hasShared: boolean;
}

/** What not all have, what only this one has first. */
function Others({ rest, muted, kind, of, hasShared }: OthersProps) {
  if (typeof rest === 'string') return <span className={typography.faint}>{rest}</span>;
  const own = rest.filter(({ samples }) => samples === 1);
  const some = rest.filter(({ samples }) => samples > 1);
  if (rest.length === 0)
    return hasShared ? <Value value={null} /> : <span className={typography.faint}>{text.none}</span>;
  return (
    <div className={layout.stack8}>
      {own.length > 0 && (
        <Items label={text.onlyHere} items={own.map(({ item }) => item)} muted={muted} kind={kind} isOwn />
      )}
      {some.length > 0 && (
        <Items
          label={text.inSome}
          items={some.map(({ item }) => item)}
          asides={some.map(({ samples }) => text.some(samples, of))}
          muted={muted}
          kind={kind}
        />
      )}
    </div>
  );
}

interface ItemsProps {
  label: string;
  items: readonly string[];
  /** Of the samples that have them. */
  muted: readonly ReadonlySet<string>[];
  kind: ItemKind;
  /** Behind each item. */
  asides?: readonly string[];
  isOwn?: boolean;
}

function Items({ label, items, asides, muted, kind, isOwn = false }: ItemsProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, itemsShown);
  return (
    <div className={layout.stack2}>
      <p className={classNames(typography.caption, isOwn && styles.own)}>{label}</p>
      <ul aria-label={label} className={classNames(layout.wrap4, styles.items)}>
        {shown.map((item, at) => (
          <li key={item} className={classNames(layout.inline4, styles.item)}>
            {kind === 'rule' ? (
              <Rule name={item} isMuted={isMutedIn(muted, item)} />
            ) : (
              <TagChip tag={item} isForeign={kind === 'repository-tag'} />
            )}
            {asides !== undefined && <span className={typography.smallHint}>{asides[at]}</span>}
          </li>
        ))}
      </ul>
      {items.length > shown.length && (
        <Button size="small" look="quiet" onPress={() => setWhole(true)}>
          {text.more(items.length - shown.length)}
        </Button>
      )}
    </div>
  );
}

function Rule({ name, isMuted }: { name: string; isMuted: boolean }) {
  return (
    <>
      <code className={classNames(typography.breaks, isMuted && typography.faint)}>{visibleText(name)}</code>
      {isMuted && (
        <span className={classNames(layout.inline4, typography.smallNote)}>
          <VolumeX size={12} strokeWidth={1.6} aria-hidden="true" />
          {text.muted}
        </span>
      )}
    </>
  );
}

function Value({ value }: { value: FactValue | null }) {
  if (value === null)
    return (
      <span className={typography.faint}>
        <span aria-hidden="true">–</span>
        <span className={aloud.only}>{text.noValue}</span>
      </span>
    );
  switch (value.kind) {
    case 'hash':
      return (
        <code title={value.value}>
          {value.value.slice(0, shownDigits)}
          <span aria-hidden="true">…</span>
        </code>
      );
    case 'size':
      return <span data-figures>{formatExactSize(value.value)}</span>;
    case 'severity':
      return <SeverityWord level={value.value} />;
    case 'tlp':
      return <TlpLamp level={value.value} />;
    case 'vault':
      return <>{text.vault[value.value]}</>;
    case 'time':
      return <TimeText sent={value.value} />;
    case 'mono':
      return (
        <code>
          <LongText text={defang(visibleText(value.value))} charactersShown={charactersShown} />
        </code>
      );
    default:
      return (
        <bdi>
          <LongText
            text={value.kind === 'name' ? visibleLine(value.value) : defang(visibleText(value.value))}
            charactersShown={value.kind === 'name' ? charactersOfName : charactersShown}
          />
        </bdi>
      );
  }
}
