import { useSyncExternalStore } from 'react';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { TagChip } from '../../../components/tag-chip.tsx';
import { chipsThatFit } from '../../../components/tag-field-fit.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../text.ts';
import { chipWidth } from './chip-width.ts';
import styles from './cells.module.css';
import type { TagRoom } from './tag-room.ts';

export interface TagLineProps {
  tags: readonly string[];
  serviceTags: readonly string[];
  room: TagRoom;
}

/** Whole chips on one line, this desk's before those of services, and how many more there are. */
export function TagLine({ tags, serviceTags, room: { subscribe, snapshot, watch } }: TagLineProps) {
  const width = useSyncExternalStore(subscribe, snapshot);
  const all = [...tags, ...serviceTags];
  const fit = chipsThatFit(
    all.map((tag) => chipWidth(visibleText(tag))),
    width,
  );
  const rest = all.slice(fit);
  return (
    <span ref={watch} className={classNames(layout.row4, styles.tags)}>
      {all.slice(0, fit).map((tag, at) => (
        <TagChip key={`${at < tags.length ? 'own' : 'service'} ${tag}`} tag={tag} isForeign={at >= tags.length} />
      ))}
      {rest.length > 0 && (
        <span
          className={classNames(typography.smallHint, layout.fixed)}
          title={rest.map((tag) => visibleText(tag)).join(', ')}
        >
          {fit === 0 ? text.tags(rest.length) : text.moreTags(rest.length)}
        </span>
      )}
    </span>
  );
}
