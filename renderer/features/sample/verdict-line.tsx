import type { ReactNode } from 'react';
import { type Severity, severity } from '../../../shared/domain/sample.ts';
import { type TlpLevel, tlpOf } from '../../../shared/domain/tag.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { cutMiddle, formatAgo, readTime } from '../../components/format.ts';
import { SeverityMark, severityWords, type SeverityLevel } from '../../components/severity.tsx';
import { TlpLabel } from '../../components/tlp-select.tsx';
import { shortWorkspaceName, useWorkspaceNames } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import typography from '../../styles/typography.module.css';
import { scanTimes } from './hits-part.tsx';
import type { PartId } from './parts.tsx';
import { type CurrentSample, shownDay, earliestSeen, type ShownSample, useSampleHits } from './shown-sample.ts';
import { text } from './strings.ts';
import styles from './verdict-line.module.css';

/** In characters: about two lines of the least width that the line leaves to it. */
const longestFamily = 60;
const dayMs = 86_400_000;

/** Where a value is from, in words, and the part of the page that has it. */
export interface Source {
  words: string;
  /** Every statement of the value, with whole names, one a line; left out: the words say it all. */
  whole?: string;
  part: PartId;
  /** Whose record has it; left out: no record. */
  workspaceId?: string;
}

/** Names of a workspace: what fits into the line, and the whole one. */
interface Names {
  short(workspaceId: string): string;
  whole(workspaceId: string): string;
}

/** One statement of a value. Words are ready to be shown. */
interface Claim {
  value: string;
  /** Who states it, where there is little space and where there is enough. */
  from: string;
  wholeFrom: string;
  /** The source while no one states another value. */
  alone: string;
  part: PartId;
  workspaceId?: string;
}

/** The source of the first claim's value, with the first of those that contradict it. */
function sourceOf(first: Claim, others: readonly Claim[], isOther: (claim: Claim) => boolean): Source {
  const other = others.find(isOther);
  return {
    part: first.part,
    ...(first.workspaceId !== undefined && { workspaceId: first.workspaceId }),
    words: other === undefined ? first.alone : text.verdict.disagrees(first.from, other.from, other.value),
    whole: [first, ...others].map(({ wholeFrom, value }) => text.verdict.states(wholeFrom, value)).join('\n'),
  };
}

const claimOf = (
  workspaceId: string,
  value: string,
  names: Names,
  alone: (workspace: string) => string,
  part: PartId = 'record',
): Claim => ({
  value,
  from: names.short(workspaceId),
  wholeFrom: names.whole(workspaceId),
  alone: alone(names.short(workspaceId)),
  part,
  workspaceId,
});

type OnLead = (source: Source) => void;

interface VerdictLineProps {
  currentSample: CurrentSample;
  hash: string;
  /** To the part of the page that a source names. */
  onLead: OnLead;
}

/**
 * Whether it is bad, and what it is, each part with its source. A part without a value stays in its place, so that
 * nothing moves when values come. How many rows it has depends on its width alone.
 */
export function VerdictLine({ currentSample, hash, onLead }: VerdictLineProps) {
  const { sample } = currentSample;
  const whole = useWorkspaceNames();
  const names: Names = { whole, short: (workspaceId) => shortWorkspaceName(whole(workspaceId)) };
  const family = familyOf(sample, names);
  return (
    <section className={styles.strip} aria-label={text.verdict.title}>
      <div className={styles.line}>
        <SeverityPart sample={sample} names={names} onLead={onLead} />
        <Part
          value={<bdi>{family.value}</bdi>}
          title={family.whole}
          isEmpty={family.whole === null}
          source={family.source}
          kind="family"
          onLead={onLead}
        />
        <HitsVerdict currentSample={currentSample} hash={hash} onLead={onLead} />
        <TlpVerdict sample={sample} names={names} onLead={onLead} />
        <Seen sample={sample} names={names} onLead={onLead} />
      </div>
    </section>
  );
}

interface PartProps {
  value: ReactNode;
  /** Its tooltip: the whole value, where it may be cut. */
  title?: string | null;
  isEmpty?: boolean;
  source: Source;
  kind: 'family' | 'hits' | 'tlp';
  onLead: OnLead;
}

function Part({ value, title = null, isEmpty = false, source, kind, onLead }: PartProps) {
  return (
    <div className={classNames(styles.part, styles[kind])}>
      <p className={classNames(styles.value, isEmpty && styles.empty)} title={title ?? undefined}>
        {value}
      </p>
      <SourceButton source={source} onLead={onLead} />
    </div>
  );
}

function SourceButton({ source, onLead }: { source: Source; onLead: OnLead }) {
  return (
    <button type="button" className={styles.source} title={source.whole ?? source.words} onClick={() => onLead(source)}>
      <bdi>{source.words}</bdi>
    </button>
  );
}

interface FromSampleProps {
  sample: ShownSample;
  names: Names;
  onLead: OnLead;
}

function SeverityPart({ sample, names, onLead }: FromSampleProps) {
  const { level, source } = severityOf(sample, names);
  return (
    <div className={classNames(styles.part, styles.severity)}>
      <SeverityMark level={level} size={22} isAlone={false} />
      <div>
        <p className={classNames(styles.value, styles[level])}>{severityWords[level]}</p>
        <SourceButton source={source} onLead={onLead} />
      </div>
    </div>
  );
}

/** The worst that a record states. */
function severityOf({ records }: ShownSample, names: Names): { level: SeverityLevel; source: Source } {
  const claims = severity.options.flatMap((level: Severity) =>
    records.flatMap(({ workspaceId, record: { criticity } }) =>
      criticity === level
        ? [{ level, claim: claimOf(workspaceId, severityWords[level].toLowerCase(), names, text.verdict.record) }]
        : [],
    ),
  );
  const [first, ...others] = claims;
  if (first === undefined) {
    const [newest] = records;
    return { level: newest === undefined ? 'unknown' : 'unset', source: newestSource(records, names, 'record') };
  }
  const { level, claim } = first;
  return {
    level,
    source: sourceOf(
      claim,
      others.map((other) => other.claim),
      ({ value }) => value !== claim.value,
    ),
  };
}

/** Of what no record states. */
function newestSource([newest]: ShownSample['records'], names: Names, part: PartId): Source {
  if (newest === undefined) return { words: text.verdict.noRecord, part };
  const { workspaceId } = newest;
  return {
    words: text.verdict.record(names.short(workspaceId)),
    whole: text.verdict.record(names.whole(workspaceId)),
    part,
    workspaceId,
  };
}

/** The threat that a record names, the newest first, else the family of a tag. `whole`: null where none is known. */
function familyOf(
  { records, tags, serviceTags }: ShownSample,
  names: Names,
): { value: string; whole: string | null; source: Source } {
  const { verdict } = text;
  const threats = records.flatMap(({ workspaceId, record: { threat } }) =>
    threat === null || threat.trim() === ''
      ? []
      : [claimOf(workspaceId, visibleLine(threat.trim()), names, verdict.threat)],
  );
  const [local, foreign] = (['localTag', 'foreignTag'] as const).map((kind) =>
    (kind === 'localTag' ? tags : serviceTags)
      .filter((tag) => /^family:./i.test(tag))
      .map((tag): Claim => {
        const from = verdict[kind];
        const value = visibleLine(tag.slice('family:'.length));
        return { value, from: from.toLowerCase(), wholeFrom: from, alone: from, part: 'tags' };
      }),
  );
  const [first] = [...threats, ...(local ?? []), ...(foreign ?? [])];
  if (first === undefined)
    return { value: verdict.noFamily, whole: null, source: { words: verdict.noSource, part: 'record' } };
  // What the person tagged it with is the first to be named.
  const others = [...(local ?? []), ...threats, ...(foreign ?? [])]
    .filter((claim) => claim !== first)
    .map((claim) => ({ ...claim, value: cutMiddle(claim.value, longestFamily) }));
  return {
    value: cutMiddle(first.value, longestFamily),
    whole: first.value,
    source: sourceOf({ ...first, value: cutMiddle(first.value, longestFamily) }, others, ({ value, part }) =>
      // A family is part of the name of a threat: "family:zeus" and "Win32/Zeus.A" agree.
      part === 'tags' ? !lower(first.value).includes(lower(value)) : lower(value) !== lower(first.value),
    ),
  };
}

const lower = (value: string): string => value.toLowerCase();

function HitsVerdict({ currentSample, hash, onLead }: VerdictLineProps) {
  const { hits = [], lastScan, known } = useSampleHits(currentSample);
  const { data: history } = useOperation('samples.history', { hash });
  const shown = hits.filter(({ mute }) => mute === null);
  const rules = new Set(shown.map(({ rule }) => rule)).size;
  const [last] = scanTimes(history?.rows ?? [], hits);
  const time = latest(lastScan?.time ?? null, last?.time ?? null);
  const isScanned = lastScan !== null || last !== undefined;
  const value =
    rules > 0
      ? text.verdict.hits(rules, lastScan?.rules ?? null)
      : isScanned
        ? text.verdict.noHits(lastScan?.rules ?? null)
        : text.verdict.notScanned;
  const others = (known?.hits.count ?? 0) + (known?.older.count ?? 0);
  const words =
    rules === 0 && others > 0
      ? text.verdict.knownElsewhere(others)
      : time === null
        ? isScanned
          ? text.verdict.scannedBefore
          : text.verdict.noScan
        : text.verdict.scanned(ageOf(time));
  return (
    <Part
      value={value}
      title={value}
      isEmpty={rules === 0}
      source={{ words, part: 'hits' }}
      kind="hits"
      onLead={onLead}
    />
  );
}

const latest = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;

/** Under a day in minutes or hours, then the date. */
function ageOf(time: string): string {
  return Date.now() - Date.parse(time) < dayMs ? formatAgo(time) : readTime(time).text.slice(0, 10);
}

function TlpVerdict({ sample, names, onLead }: FromSampleProps) {
  const { tlp, records } = sample;
  if (tlp !== null)
    return (
      <Part value={<TlpLabel level={tlp} />} source={tlpSourceOf(sample, tlp, names)} kind="tlp" onLead={onLead} />
    );
  return (
    <Part
      value={records.length === 0 ? text.verdict.tlpUnknown : text.notSet}
      isEmpty
      source={newestSource(records, names, 'tlp')}
      kind="tlp"
      onLead={onLead}
    />
  );
}

/** Who states the strictest: this computer, or the record whose tag does. */
function tlpSourceOf({ tlps, records }: ShownSample, tlp: TlpLevel, names: Names): Source {
  const ofRecords = records.flatMap(({ workspaceId, record: { tags } }) => {
    const level = tlpOf(tags);
    return level === null ? [] : [claimOf(workspaceId, level.toUpperCase(), names, text.verdict.tlpTag, 'tlp')];
  });
  const here = tlps
    .filter(({ source, level }) => source !== 'tag' || ofRecords.every(({ value }) => value !== level.toUpperCase()))
    .map(({ level, source }): Claim => {
      const alone = text.verdict.tlpSources[source];
      return { value: level.toUpperCase(), from: alone, wholeFrom: alone, alone, part: 'tlp' };
    });
  const claims = [...ofRecords, ...here];
  const first = claims.find(({ value }) => value === tlp.toUpperCase());
  if (first === undefined) return { words: text.verdict.tlpSources.tag, part: 'tlp' };
  const others = claims.filter((claim) => claim !== first);
  return sourceOf(first, others, ({ value }) => value !== first.value);
}

/** The earliest time that a record or this computer has, and when this computer met it last. */
function Seen({ sample, names, onLead }: FromSampleProps) {
  const { time, workspaceId } = earliestSeen(sample);
  const here: Source = { words: text.verdict.here, part: 'history' };
  const source: Source =
    workspaceId === null
      ? here
      : { words: names.short(workspaceId), whole: names.whole(workspaceId), part: 'record', workspaceId };
  return (
    <dl className={classNames(styles.part, styles.seen)}>
      <SeenLine title={text.verdict.first} time={time} source={source} onLead={onLead} />
      <SeenLine title={text.verdict.last} time={sample.lastSeen} source={here} onLead={onLead} />
    </dl>
  );
}

interface SeenLineProps {
  title: string;
  time: string;
  source: Source;
  onLead: OnLead;
}

function SeenLine({ title, time, source, onLead }: SeenLineProps) {
  return (
    <div className={styles.seenLine}>
      <dt className={typography.faint}>{title}</dt>
      <dd className={styles.day} title={readTime(time).text} data-figures>
        {shownDay(time)}
      </dd>
      <dd className={styles.seenSource}>
        <SourceButton source={source} onLead={onLead} />
      </dd>
    </div>
  );
}
