import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Popover } from 'react-aria-components/Popover';
import { queryFields } from '../../../../shared/domain/query-fields.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../text.ts';
import type { Completion } from './use-completion.ts';
import styles from './query-field.module.css';

export interface ChoiceListProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  completion: Completion;
  onChoose(choice: string): void;
  /** What else is told, below them. */
  children: ReactNode;
}

/** What may stand where the caret is. The focus stays in the field. */
export function ChoiceList({ id, anchor, completion, onChoose, children }: ChoiceListProps) {
  const { choices, active, at, close } = completion;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== null) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (at === null) return null;
  return (
    <Popover
      className={classNames(surface.popover, styles.popover)}
      triggerRef={anchor}
      isOpen
      isNonModal
      onOpenChange={close}
      placement="bottom start"
      offset={4}
      containerPadding={8}
    >
      <div ref={list} id={id} role="listbox" aria-label={text.choices} className={styles.choices}>
        {choices.map((choice, index) => (
          // The field has the keys and the focus.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={choice}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className={classNames(layout.flex12, styles.choice)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice)}
          >
            <bdi className={classNames(typography.cut, styles.choiceWord)}>
              {at.kind === 'field' ? `${choice}:` : visibleText(choice)}
            </bdi>
            {at.kind === 'field' && (
              <span className={typography.smallNote}>{queryFields.find(({ name }) => name === choice)?.does}</span>
            )}
          </div>
        ))}
      </div>
      {children !== null && <div className={styles.foot}>{children}</div>}
    </Popover>
  );
}
