import { useState } from 'react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import type { ScannedFile } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useAction, useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatMinute } from '../../../components/format.ts';
import { LongText, TagChip } from '../../../components/service-text.tsx';
import { useMuteNews } from '../../../features/mutes/mute-dialogs.tsx';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './file.module.css';
import { matchTotals, type ShownHit } from './shown-hits.ts';
import { text } from './strings.ts';
import { Fact } from './where-scanned.tsx';

const metaAtFirst = 6;
const charactersShown = 200;

/** The rule whose matches are shown: where it is, its metadata, and how it is muted. */
export function RuleFacts({
  file,
  hit,
  workspaceId,
}: {
  file: ScannedFile;
  hit: ShownHit;
  workspaceId: string | null;
}) {
  const { rule, place, family, namespace, tags, mute, news } = hit;
  const totals = matchTotals(file.results, rule);
  const name = visibleText(rule);
  return (
    <section className={classNames(layout.stack8, layout.insetLine, styles.part)} aria-label={name}>
      <div className={classNames(layout.spread, styles.partHead)}>
        <h2 className={classNames(typography.breaks, styles.ruleName)}>
          <bdi>{name}</bdi>
        </h2>
        {workspaceId !== null && <ShowRule workspaceId={workspaceId} rule={rule} />}
      </div>
      {news === 'lost' && <p className={typography.note}>{text.lostSentence}</p>}
      <dl className={styles.ruleFacts}>
        {place !== null && (
          <Fact name={text.rulePlace}>
            <code className={classNames(typography.code, typography.anywhere)}>
              <bdi>{visibleText(`${place.file}:${place.line}`)}</bdi>
            </code>
          </Fact>
        )}
        {family !== null && (
          <Fact name={text.family}>
            <bdi>{visibleText(family)}</bdi>
          </Fact>
        )}
        {namespace !== null && (
          <Fact name={text.namespace}>
            <bdi>{visibleText(namespace)}</bdi>
          </Fact>
        )}
        {tags.length > 0 && (
          <Fact name={text.tags}>
            <Tags tags={tags} />
          </Fact>
        )}
        {totals !== null && totals.local !== totals.service && (
          <Fact name={text.perSide}>{text.perSideWords(totals.service, totals.local)}</Fact>
        )}
        {mute !== null && (
          <Fact name={text.mutedUntil}>
            <bdi>
              {mute.expires === null ? text.takenBack : text.until(formatMinute(new Date(mute.expires)))}:{' '}
              {visibleText(mute.reason)}
            </bdi>
          </Fact>
        )}
      </dl>
      {mute !== null && workspaceId !== null && <Unmute workspaceId={workspaceId} rule={rule} sha256={file.sha256} />}
      {hit.meta.length > 0 && <Meta key={rule} hit={hit} />}
    </section>
  );
}

export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className={layout.wrap4}>
      {tags.map((tag) => (
        <TagChip key={tag} tag={tag} />
      ))}
    </span>
  );
}

/** Takes the mute back that holds here; where two do, one after the other. */
function Unmute({ workspaceId, rule, sha256 }: { workspaceId: string; rule: string; sha256: string }) {
  const { data } = useOperation('mutes.list', { workspaceId });
  const remove = useAction('mutes.remove');
  const { reportUnmuted } = useMuteNews();
  const holds = (mute: Mute): boolean =>
    mute.rule === rule && !mute.hasExpired && (mute.sample === null || mute.sample === sha256);
  const mute = data?.mutes.find(holds);
  if (mute === undefined) return null;
  return (
    <>
      {remove.error !== null && <FailureNotice failure={remove.error} />}
      <div>
        <Button
          size="small"
          aria-label={text.unmuteRule(visibleText(rule))}
          isDisabled={remove.isPending}
          onPress={() => remove.mutate({ id: mute.id }, { onSuccess: () => reportUnmuted(mute) })}
        >
          {text.unmute}
        </Button>
      </div>
    </>
  );
}

function Meta({ hit: { meta } }: { hit: ShownHit }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? meta : meta.slice(0, metaAtFirst);
  const rest = meta.length - shown.length;
  return (
    <div>
      <dl className={styles.ruleFacts} aria-label={text.meta}>
        {shown.map(({ key, value }, at) => (
          <Fact key={`${at}:${key}`} name={visibleText(key)}>
            <bdi>
              <LongText text={visibleText(value)} charactersShown={charactersShown} />
            </bdi>
          </Fact>
        ))}
      </dl>
      {rest > 0 && (
        <Button size="small" look="inline" onPress={() => setWhole(true)}>
          {text.moreMeta(rest)}
        </Button>
      )}
    </div>
  );
}

/** To the rule among those of the active package, found by its name. */
export function ShowRule({ workspaceId, rule }: { workspaceId: string; rule: string }) {
  const { openPublications } = useNavigation();
  const [, note] = usePublicationsPlace(workspaceId);
  const show = (): void => {
    note({ find: rule, chosen: null });
    openPublications('rules');
  };
  return (
    <Button size="small" look="inline" aria-label={text.showRuleOf(visibleText(rule))} onPress={show}>
      {text.showRule}
    </Button>
  );
}
