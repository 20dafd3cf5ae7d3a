import { ChevronDown, ChevronUp, Columns2, Rows2 } from 'lucide-react';
import { useRef } from 'react';
import { usePublicationsPlace } from '../../../app/publications/publications-place.tsx';
import { useRested } from '../../../app/use-rested.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { useElementWidth } from '../../../components/data-grid/use-element-width.ts';
import { nameOf, partWords } from './change-row.tsx';
import { RuleText } from './rule-text.tsx';
import { text } from './text.ts';
import styles from './compare.module.css';
import panes from './updates.module.css';
import type { Comparison } from './use-comparison.ts';
import type { OpenedLine } from './use-opened-text.ts';

/** A key that is held down passes rules whose text nobody reads. */
const showRestMs = 120;
/** CSS pixels that two columns need. */
const twoColumns = 520;

/** The rule that is chosen among the changes: its text as it was and as it would be. */
export function ShownRule({ comparison, opened }: { comparison: Comparison; opened: OpenedLine | null }) {
  const { workspaceId, row, index, total, show } = comparison;
  const [{ isSideBySide }, note] = usePublicationsPlace(workspaceId);
  const part = useRef<HTMLDivElement>(null);
  const width = useElementWidth(part);
  // Not known: nothing is laid out yet.
  const hasRoom = width === null || width >= twoColumns;
  const rested = useRested(row, showRestMs) ?? row;
  const isAtRest = rested === row;
  const hasBoth = rested !== undefined && rested.old !== null && rested.new !== null;
  return (
    <div ref={part} className={styles.rule}>
      <div className={styles.ruleHead}>
        {row !== undefined && <h3 className={styles.ruleTitle}><bdi>{nameOf(row)}</bdi></h3>}
        {row?.kind === 'changed' && <span className={panes.aside}>{partWords(row.parts)}</span>}
        <span className={styles.push} />
        <IconButton label={text.previousRule} isDisabled={index <= 0} onPress={() => show(index - 1)}><ChevronUp size={16} strokeWidth={1.6} aria-hidden="true" /></IconButton>
        <IconButton label={text.nextRule} isDisabled={index >= total - 1} onPress={() => show(index + 1)}><ChevronDown size={16} strokeWidth={1.6} aria-hidden="true" /></IconButton>
        {hasRoom && hasBoth && (
          <Button look="quiet" size="small" onPress={() => note({ isSideBySide: !isSideBySide })}>
            {isSideBySide ? <Rows2 size={14} strokeWidth={1.6} aria-hidden="true" /> : <Columns2 size={14} strokeWidth={1.6} aria-hidden="true" />}
            {isSideBySide ? text.unified : text.sideBySide}
          </Button>
        )}
      </div>
      {rested !== undefined && <RuleText comparison={comparison} row={rested} isWanted={isAtRest} opened={opened} within={part} isSideBySide={isSideBySide && hasRoom} />}
    </div>
  );
}
