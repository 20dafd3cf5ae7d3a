import { useState } from 'react';
import { historyWeeks, type RuleFactsView, type RuleRow } from '../../../../shared/domain/publication.ts';
import { writtenValue } from '../../../../shared/domain/query-completion.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { formatMinute } from '../../../components/format.ts';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { notReported } from './rule-columns.tsx';
import { RuleCostLine } from './rule-costs.tsx';
import styles from './rules.module.css';
import { text } from './strings.ts';

interface RuleKnownProps {
  workspaceId: string;
  /** The package that the row is of. */
  sha256: string;
  row: RuleRow;
}

/**
 * What is known of a rule besides its text: its hits here, what it uses and what uses it, and the packages that have
 * it.
 */
export function RuleKnown({ workspaceId, sha256, row }: RuleKnownProps) {
  const { data, error } = useOperation('publications.ruleFacts', { workspaceId, sha256, number: row.number });
  return (
    <div className={classNames(layout.stack6, styles.known)}>
      {error !== null && <ReadFailure failure={error} of="publications.ruleFacts" />}
      {data !== undefined && <Hits facts={data} row={row} />}
      {data !== undefined && <Relations workspaceId={workspaceId} facts={data} />}
      {data !== undefined && row.broken === null && (
        <RuleCostLine
          key={`cost ${sha256} ${row.key}`}
          workspaceId={workspaceId}
          sha256={sha256}
          rule={row.key}
          stored={data.cost}
        />
      )}
      <Packages key={`${sha256} ${row.key}`} workspaceId={workspaceId} sha256={sha256} rule={row.key} />
    </div>
  );
}

function Hits({ facts: { samples, lastHit, weeks, newest }, row }: { facts: RuleFactsView; row: RuleRow }) {
  const { openLibrary, openSample } = useNavigation();
  if (samples === 0)
    return <p className={classNames(layout.baselineWrap, styles.knownLine)}>{notReported(row) ?? text.noHits}</p>;
  return (
    <>
      <p className={classNames(layout.baselineWrap, styles.knownLine)}>
        <strong data-figures>{text.samplesHit(samples)}</strong>
        {lastHit !== null && <span data-figures>{text.lastHitAt(formatMinute(new Date(lastHit)))}</span>}
        <Button size="small" look="inline" onPress={() => openLibrary(`rule:${writtenValue(row.key)}`)}>
          {text.showInLibrary}
        </Button>
      </p>
      <History weeks={weeks} />
      <ul className={styles.samples} aria-label={text.newestSamples}>
        {newest.map(({ sha256, name, lastHit: at }) => {
          const shown = visibleText(name ?? sha256.slice(0, 12));
          return (
            <li key={sha256}>
              <Button size="small" look="inline" aria-label={text.openSample(shown)} onPress={() => openSample(sha256)}>
                <bdi>{shown}</bdi>
              </Button>
              <span data-figures>{formatMinute(new Date(at))}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function History({ weeks }: { weeks: readonly number[] }) {
  const most = Math.max(1, ...weeks);
  const all = weeks.reduce((sum, count) => sum + count, 0);
  return (
    <div className={classNames(layout.flex12, typography.smallHint, styles.historyBox)} title={text.historyTitle}>
      <span>{text.weeksAgo(historyWeeks)}</span>
      <div className={styles.bars} role="img" aria-label={text.history(all, historyWeeks, weeks.at(-1) ?? 0)}>
        {weeks.map((count, at) => (
          <span key={`${historyWeeks - at}`} className={styles.bar} style={{ height: `${(count / most) * 100}%` }} />
        ))}
      </div>
      <span>{text.thisWeek}</span>
    </div>
  );
}

function Relations({ workspaceId, facts: { uses, usedBy, variables } }: { workspaceId: string; facts: RuleFactsView }) {
  const [, note] = usePublicationsPlace(workspaceId);
  const lists = [
    { label: text.uses, names: uses },
    { label: text.usedBy, names: usedBy },
  ].filter(({ names }) => names.length > 0);
  return (
    <>
      {lists.map(({ label, names }) => (
        <p key={label} className={classNames(layout.baselineWrap, styles.knownLine)}>
          <span>{label}</span>
          {names.map((name) => (
            <Button
              key={name}
              size="small"
              look="inline"
              onPress={() => note({ find: name.includes(':') ? name : `name:${name}`, chosen: null })}
            >
              <code>
                <bdi>{visibleText(name)}</bdi>
              </code>
            </Button>
          ))}
        </p>
      ))}
      {variables.length > 0 && (
        <p className={classNames(layout.baselineWrap, styles.knownLine)}>
          <span>{text.asksFor}</span>{' '}
          <span>
            <bdi>{visibleText(text.variables(variables))}</bdi>
          </span>
        </p>
      )}
    </>
  );
}

/** Every kept package is opened for it: only when it is asked for. */
function Packages({ workspaceId, sha256, rule }: { workspaceId: string; sha256: string; rule: string }) {
  const [isAsked, ask] = useState(false);
  const { data, error } = useOperation(
    'publications.rulePackages',
    { workspaceId, sha256, key: rule },
    { enabled: isAsked },
  );
  if (!isAsked)
    return (
      <p className={classNames(layout.baselineWrap, styles.knownLine)}>
        <Button size="small" look="inline" onPress={() => ask(true)}>
          {text.findPackages}
        </Button>
      </p>
    );
  if (error !== null) return <ReadFailure failure={error} of="publications.rulePackages" />;
  return (
    <p className={classNames(layout.baselineWrap, styles.knownLine)} role="status">
      {data === undefined ? (
        text.findingPackages
      ) : (
        <>
          <span>{text.packages}</span>
          {data.packages.map((one) => (
            <bdi key={one.sha256}>{visibleText(text.packageWith(one.version, one.standing, one.text === 'same'))}</bdi>
          ))}
          {data.unread.length > 0 && <bdi>{visibleText(text.unreadPackages(data.unread))}</bdi>}
        </>
      )}
    </p>
  );
}
