import { Plus } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { normalTag, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { nameInSentence, words } from '../../components/format.ts';
import { isCutTag, orderedTags, TagChip, TagLegend } from '../../components/service-text.tsx';
import { TagField } from '../../components/tag-field/tag-field.tsx';
import { TlpMenu } from '../../components/tlp-menu.tsx';
import { TlpLamp } from '../../components/tlp-select.tsx';
import { keys } from '../../keyboard/keys.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Value } from '../library/value-menu.tsx';
import { PartHead } from './parts.tsx';
import { type SampleChange, tagsWith, useSampleChange, useTagSuggestions } from './sample-changes.ts';
import styles from './sample.module.css';
import type { CurrentSample, ShownSample } from './shown-sample.ts';
import { text } from './strings.ts';

const shownAtFirst = 60;
const moreShown = 500;
const nameOf = ({ name, sha256 }: ShownSample): string => nameInSentence(name || (sha256 ?? ''));

/** The tags that services have, those of this computer alone, and how far the sample may go. */
export function TagsPart({ currentSample: { sample, workspaceId, isWhole } }: { currentSample: CurrentSample }) {
  const field = useRef<HTMLDivElement>(null);
  const part = useRef<HTMLElement>(null);
  const changing = useSampleChange({ sha256: sample.sha256 ?? '', name: nameOf(sample) });
  const canChange = sample.sha256 !== null;
  const serviceTags = [...sample.serviceTags, ...sample.wholeTags];
  const leaveField = (): void =>
    part.current?.querySelector<HTMLElement>(`button[data-letter="${keys.sample.tag.keys}"]`)?.focus();
  return (
    <section ref={part} className={classNames(layout.insetLine, styles.part)} aria-labelledby="tags">
      <PartHead
        id="tags"
        title={text.tags}
        action={
          canChange && (
            <Button
              size="small"
              look="quiet"
              letter={keys.sample.tag.keys}
              isDisabled={!isWhole}
              onPress={() => field.current?.querySelector('input')?.focus()}
            >
              <Plus size={14} strokeWidth={1.6} aria-hidden="true" />
              {text.addTag}
            </Button>
          )
        }
      />
      {serviceTags.length === 0 && <p className={typography.aside}>{text.noTags}</p>}
      <TagList tags={serviceTags} workspaceId={workspaceId} />
      {sample.wholeTags.length > 0 && (
        <p className={classNames(typography.note, styles.hint)}>{text.wholeTags(sample.wholeTags.length)}</p>
      )}
      {canChange ? (
        <div ref={field} className={styles.ownTags}>
          <OwnTags
            tags={sample.tags}
            workspaceId={workspaceId}
            isDisabled={!isWhole}
            changing={changing}
            onEscape={leaveField}
          />
        </div>
      ) : (
        <p className={classNames(typography.note, styles.hint)}>{text.needsBytes}</p>
      )}
      <TagLegend />
      <TlpLines sample={sample} onSet={isWhole && canChange ? (tlp) => changing.change({ tlp }) : null} />
      {changing.failure && (
        <div className={styles.reported}>
          <FailureNotice failure={changing.failure} />
        </div>
      )}
    </section>
  );
}

function OwnTags({
  tags,
  workspaceId,
  isDisabled,
  changing: { change, waiting },
  onEscape,
}: {
  tags: readonly string[];
  workspaceId: string;
  isDisabled: boolean;
  changing: SampleChange;
  onEscape(): void;
}) {
  const suggestions = useTagSuggestions();
  return (
    <TagField
      label={text.ownTags}
      tags={orderedTags(tagsWith(tags, waiting)).map(({ tag }) => tag)}
      isDisabled={isDisabled}
      placeholder={text.tagPlaceholder}
      {...suggestions}
      drawChip={inValue(workspaceId)}
      onAdd={(tag) => change({ add: [tag] })}
      onRemove={(tag) => change({ remove: [tag] })}
      onTlp={(tlp) => change({ tlp })}
      onEscape={onEscape}
    />
  );
}

/** A local tag leads on as those of services do, but for a search at one. */
const inValue = (workspaceId: string) => (tag: string, chip: ReactNode) => (
  <Value field="tag" value={tag} workspaceId={workspaceId} isLocal isChip>
    {chip}
  </Value>
);

function TagList({ tags, workspaceId }: { tags: readonly string[]; workspaceId: string }) {
  const [shown, setShown] = useState(shownAtFirst);
  return (
    <>
      <ul className={classNames(layout.wrap4, styles.tags)} aria-labelledby="tags">
        {orderedTags([], tags)
          .slice(0, shown)
          .map(({ tag }, index) => (
            <ForeignTag key={`${index}:${tag}`} tag={tag} workspaceId={workspaceId} />
          ))}
      </ul>
      {tags.length > shown && (
        <div className={styles.moreTags}>
          <Button size="small" look="quiet" onPress={() => setShown(shown + moreShown)}>
            {text.moreTags(Math.min(moreShown, tags.length - shown))}
          </Button>
        </div>
      )}
    </>
  );
}

/** A service may send one of any length: its beginning, and a way to all of it. */
function ForeignTag({ tag, workspaceId }: { tag: string; workspaceId: string }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <li>
      <Value field="tag" value={normalTag(tag)} workspaceId={workspaceId} isChip>
        <TagChip tag={tag} isForeign isWhole={isWhole} />
      </Value>
      {!isWhole && isCutTag(tag) && (
        <Button size="small" look="inline" onPress={() => setWhole(true)}>
          {words.wholeText(tag.length)}
        </Button>
      )}
    </li>
  );
}

/** Every TLP that is said, by whom, and a way to set the local one. `onSet` is null while it cannot be set. */
function TlpLines({
  sample: { tlp, tlps, records },
  onSet,
}: {
  sample: ShownSample;
  onSet: ((level: TlpLevel | null) => void) | null;
}) {
  const own = tlps.find(({ source }) => source === 'own')?.level ?? null;
  const isLowered = own !== null && tlp !== null && tlpLevels.indexOf(own) < tlpLevels.indexOf(tlp);
  return (
    <div className={classNames(layout.row, styles.tlp)} role="group" aria-labelledby="tlp">
      <h4 id="tlp" tabIndex={-1} className={styles.subtitle}>
        {text.tlp}
      </h4>
      {tlps.length === 0 && (
        <span className={typography.hint}>{records.length === 0 ? text.notFetched : text.notSet}</span>
      )}
      <ul className={classNames(layout.row, styles.tlps)}>
        {tlps.map(({ level, source }) => (
          <li key={`${source} ${level}`} className={classNames(layout.row, styles.tlpLine)}>
            <TlpLamp level={level} />
            <span className={typography.hint}>{text.tlpSources[source]}</span>
          </li>
        ))}
      </ul>
      <span className={layout.grow} />
      <TlpMenu
        label={text.tlpMenu}
        text={text.setTlp}
        none={text.noTlp}
        isQuiet
        isDisabled={onSet === null}
        onChoose={(level) => onSet?.(level)}
      />
      {isLowered && <p className={classNames(typography.note, styles.hint)}>{text.stricterHolds(tlp.toUpperCase())}</p>}
    </div>
  );
}
