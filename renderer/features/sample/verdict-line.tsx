import type { ReactNode } from 'react';
import { type Severity, severity } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { cutMiddle, formatAgo, readTime } from '../../components/format.ts';
import { SeverityMark, severityWords, type SeverityLevel } from '../../components/severity.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { TlpLabel } from '../../components/tlp-select.tsx';
import { shortWorkspaceName, useWorkspaceNames } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import typography from '../../styles/typography.module.css';
import { scanTimes } from './hits-part.tsx';
import { focusPart, type PartId } from './parts.tsx';
import { type CurrentSample, type ShownSample, useSampleHits } from './shown-sample.ts';
import { text } from './strings.ts';
import styles from './verdict-line.module.css';

/** In characters; the row cuts further where there is less space. */
const longestFamily = 60;
const dayMs = 86_400_000;

/** Where a value is from, in words, and the part of the page that has it. */
interface Source {
  words: string;
  part: PartId;
}

type NameOf = (workspaceId: string) => string;

/**
 * Whether it is bad, and what it is, each part with its source. A part without a value stays in its place, so that
 * nothing moves when values come.
 */
export function VerdictLine({ currentSample, hash }: { currentSample: CurrentSample; hash: string }) {
  const { sample } = currentSample;
  const wholeName = useWorkspaceNames();
  const nameOf = (workspaceId: string): string => shortWorkspaceName(wholeName(workspaceId));
  const family = familyOf(sample, nameOf);
  return (
    <section className={styles.line} aria-label={text.verdict.title}>
      <SeverityPart sample={sample} nameOf={nameOf} />
      <Part
        value={family.isKnown ? <SampleName name={family.value} /> : family.value}
        isEmpty={!family.isKnown}
        source={family.source}
        gives
      />
      <HitsVerdict currentSample={currentSample} hash={hash} />
      <TlpVerdict sample={sample} nameOf={nameOf} />
      <Seen sample={sample} nameOf={nameOf} />
    </section>
  );
}

interface PartProps {
  value: ReactNode;
  isEmpty?: boolean;
  /** null: nothing is known that it could come from. */
  source: Source;
  /** Gives way where the line is too long. */
  gives?: boolean;
}

function Part({ value, isEmpty = false, source, gives = false }: PartProps) {
  return (
    <div className={classNames(styles.part, gives && styles.gives)}>
      <p className={classNames(styles.value, isEmpty && styles.empty)}>{value}</p>
      <SourceButton source={source} />
    </div>
  );
}

function SourceButton({ source: { words, part } }: { source: Source }) {
  return (
    <button type="button" className={styles.source} onClick={() => focusPart(part)}>
      <bdi>{words}</bdi>
    </button>
  );
}

function SeverityPart({ sample, nameOf }: { sample: ShownSample; nameOf: NameOf }) {
  const { level, source } = severityOf(sample, nameOf);
  return (
    <div className={classNames(styles.part, styles.severity)}>
      <SeverityMark level={level} size={22} isAlone={false} />
      <div>
        <p className={classNames(styles.value, styles[level])}>{severityWords[level]}</p>
        <SourceButton source={source} />
      </div>
    </div>
  );
}

/** The worst that a record states; another record that states another one is named as the source. */
export function severityOf({ records }: ShownSample, nameOf: NameOf): { level: SeverityLevel; source: Source } {
  const stated = records.flatMap(
    ({ workspaceId, record: { criticity } }): { workspaceId: string; level: Severity }[] =>
      criticity === null ? [] : [{ workspaceId, level: criticity }],
  );
  const worst = severity.options.flatMap((level) => stated.filter((one) => one.level === level));
  const [first, ...rest] = worst;
  const [newest] = records;
  if (first === undefined)
    return newest === undefined
      ? { level: 'unknown', source: { words: text.verdict.noRecord, part: 'record' } }
      : { level: 'unset', source: { words: text.verdict.record(nameOf(newest.workspaceId)), part: 'record' } };
  const other = rest.find(({ level }) => level !== first.level);
  return {
    level: first.level,
    source: {
      part: 'record',
      words:
        other === undefined
          ? text.verdict.record(nameOf(first.workspaceId))
          : text.verdict.otherwise(nameOf(other.workspaceId), severityWords[other.level].toLowerCase()),
    },
  };
}

/** The threat that a record names, the newest first, else the family of a tag. */
export function familyOf(
  { records, tags, serviceTags }: ShownSample,
  nameOf: NameOf,
): { value: string; isKnown: boolean; source: Source } {
  const shown = (value: string): string => cutMiddle(value, longestFamily);
  const threats = records.flatMap(({ workspaceId, record: { threat } }) =>
    threat === null || threat.trim() === '' ? [] : [{ workspaceId, threat: threat.trim() }],
  );
  const [first] = threats;
  if (first !== undefined) {
    const other = threats.find(({ threat }) => threat.toLowerCase() !== first.threat.toLowerCase());
    const words =
      other === undefined
        ? text.verdict.threat(nameOf(first.workspaceId))
        : text.verdict.otherwise(nameOf(other.workspaceId), visibleText(shown(other.threat)));
    return { value: shown(first.threat), isKnown: true, source: { words, part: 'record' } };
  }
  const [local, foreign] = [tags, serviceTags].map((each) => each.find((tag) => /^family:./i.test(tag)));
  const tag = local ?? foreign;
  if (tag === undefined)
    return { value: text.verdict.noFamily, isKnown: false, source: { words: text.verdict.noSource, part: 'record' } };
  const words = local === undefined ? text.verdict.foreignTag : text.verdict.localTag;
  return { value: shown(tag.slice('family:'.length)), isKnown: true, source: { words, part: 'tags' } };
}

function HitsVerdict({ currentSample, hash }: { currentSample: CurrentSample; hash: string }) {
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
  return <Part value={value} isEmpty={rules === 0} source={{ words, part: 'hits' }} />;
}

const latest = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;

/** Under a day in minutes or hours, then the date. */
function ageOf(time: string): string {
  return Date.now() - Date.parse(time) < dayMs ? formatAgo(time) : readTime(time).text.slice(0, 10);
}

function TlpVerdict({ sample: { tlp, tlps, records }, nameOf }: { sample: ShownSample; nameOf: NameOf }) {
  const holding = tlps.find(({ level }) => level === tlp);
  if (tlp === null) {
    const [newest] = records;
    const words = newest === undefined ? text.verdict.noRecord : text.verdict.record(nameOf(newest.workspaceId));
    return (
      <Part
        value={newest === undefined ? text.verdict.tlpUnknown : text.notSet}
        isEmpty
        source={{ words, part: 'tlp' }}
      />
    );
  }
  return (
    <Part
      value={<TlpLabel level={tlp} />}
      source={{ words: text.verdict.tlpSources[holding?.source ?? 'tag'], part: 'tlp' }}
    />
  );
}

/** The earliest time that a record or this computer has, and when this computer met it last. */
function Seen({ sample: { firstSeen, lastSeen, records }, nameOf }: { sample: ShownSample; nameOf: NameOf }) {
  const dates = records.flatMap(({ workspaceId, record: { date } }) =>
    date === null || readTime(date).kind === 'other' ? [] : [{ workspaceId, date }],
  );
  const [earliest] = dates.toSorted((one, other) => dayOf(one.date).localeCompare(dayOf(other.date)));
  const isTheirs = earliest !== undefined && dayOf(earliest.date) < dayOf(firstSeen);
  const first = isTheirs ? earliest.date : firstSeen;
  const here: Source = { words: text.verdict.here, part: 'history' };
  const source: Source = isTheirs ? { words: nameOf(earliest.workspaceId), part: 'record' } : here;
  return (
    <dl className={classNames(styles.part, styles.seen)}>
      <SeenLine title={text.verdict.first} time={first} source={source} />
      <SeenLine title={text.verdict.last} time={lastSeen} source={here} />
    </dl>
  );
}

const dayOf = (time: string): string => readTime(time).text.slice(0, 10);

function SeenLine({ title, time, source }: { title: string; time: string; source: Source }) {
  return (
    <div className={styles.seenLine}>
      <dt className={typography.faint}>{title}</dt>
      <dd className={styles.day} title={readTime(time).text} data-figures>
        {dayOf(time)}
      </dd>
      <dd>
        <SourceButton source={source} />
      </dd>
    </div>
  );
}
