import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { TagChip } from '../../components/service-text.tsx';
import { TagField } from '../../components/tag-field/tag-field.tsx';
import { useTagSuggestions } from '../use-tag-suggestions.ts';
import { PartHead } from './part-head.tsx';
import parts from './parts.module.css';
import type { ShownSample } from './shown-sample.ts';
import styles from './tags-part.module.css';
import { text } from './text.ts';
import { TlpLines } from './tlp-lines.tsx';
import { type SampleChange, tagsWith, useSampleChange } from './use-sample-change.ts';
import type { SampleAtHand } from './use-sample.ts';

const shownAtFirst = 60;
/** In characters, in a sentence. */
const longestName = 40;
const nameOf = ({ name, sha256 }: ShownSample): string => visibleText(cutMiddle(name || (sha256 ?? ''), longestName));

/** The tags that services have, those of this desk alone, and how far the sample may go. */
export function TagsPart({ atHand: { sample, isWhole } }: { atHand: SampleAtHand }) {
  const field = useRef<HTMLDivElement>(null);
  const part = useRef<HTMLElement>(null);
  const changing = useSampleChange({ sha256: sample.sha256 ?? '', name: nameOf(sample) });
  const canChange = sample.sha256 !== null;
  const serviceTags = [...sample.serviceTags, ...sample.unsearchedTags];
  const leaveField = (): void => part.current?.querySelector<HTMLElement>('button[data-letter="T"]')?.focus();
  return (
    <section ref={part} className={parts.part} aria-labelledby="tags">
      <PartHead
        id="tags"
        title={text.tags}
        action={
          canChange && (
            <Button
              size="small"
              look="quiet"
              letter="T"
              isDisabled={!isWhole}
              onPress={() => field.current?.querySelector('input')?.focus()}
            >
              <Plus size={14} strokeWidth={1.6} aria-hidden="true" />
              {text.addTag}
            </Button>
          )
        }
      />
      {serviceTags.length === 0 && <p className={parts.nothing}>{text.noTags}</p>}
      <TagList tags={serviceTags} />
      {sample.unsearchedTags.length > 0 && (
        <p className={parts.hint}>{text.unsearchedTags(sample.unsearchedTags.length)}</p>
      )}
      {canChange ? (
        <div ref={field} className={styles.ownTags}>
          <OwnTags tags={sample.tags} isDisabled={!isWhole} changing={changing} onEscape={leaveField} />
        </div>
      ) : (
        <p className={parts.hint}>{text.needsBytes}</p>
      )}
      <TlpLines sample={sample} onSet={isWhole && canChange ? (tlp) => changing.change({ tlp }) : null} />
      {changing.failure && (
        <div className={parts.told}>
          <FailureNotice failure={changing.failure} />
        </div>
      )}
    </section>
  );
}

function OwnTags({
  tags,
  isDisabled,
  changing: { change, waiting },
  onEscape,
}: {
  tags: readonly string[];
  isDisabled: boolean;
  changing: SampleChange;
  onEscape(): void;
}) {
  const suggest = useTagSuggestions();
  return (
    <TagField
      label={text.ownTags}
      tags={tagsWith(tags, waiting)}
      isDisabled={isDisabled}
      placeholder={text.tagPlaceholder}
      suggest={suggest}
      onAdd={(tag) => change({ add: [tag] })}
      onRemove={(tag) => change({ remove: [tag] })}
      onTlp={(tlp) => change({ tlp })}
      onEscape={onEscape}
    />
  );
}

function TagList({ tags }: { tags: readonly string[] }) {
  const [shown, setShown] = useState(shownAtFirst);
  return (
    <>
      <ul className={styles.tags} aria-labelledby="tags">
        {tags.slice(0, shown).map((tag, index) => (
          <li key={`${index}:${tag}`}>
            <TagChip tag={tag} isForeign />
          </li>
        ))}
      </ul>
      {tags.length > shown && (
        <div className={parts.moreTags}>
          <Button size="small" look="quiet" onPress={() => setShown(tags.length)}>
            {text.moreTags(tags.length - shown)}
          </Button>
        </div>
      )}
    </>
  );
}
