import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { LibraryRow } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Result } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { TagField } from '../../components/tag-field/tag-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { useTagSuggestions } from '../sample/sample-changes.ts';
import type { ActionTarget } from './action-target.ts';
import { type ChangeMessages, tagSamples, useChangeNews } from './change-samples.ts';
import { useManyQuestion } from './many-question.tsx';
import { text } from './strings.ts';
import styles from './tag-popover.module.css';

interface TagPopoverProps {
  count: number;
  trigger: ReactNode;
  /** The list of tags. It is there while the popover is open. */
  children: ReactNode;
}

/** Local tags, added and removed as they are typed. */
export function TagPopover({ count, trigger, children }: TagPopoverProps) {
  return (
    <DialogTrigger>
      {trigger}
      <Popover className={classNames(surface.popover, styles.popover)} offset={4} containerPadding={8}>
        <Dialog className={classNames(styles.tagDialog)} aria-label={text.tagLabel(count)}>
          {children}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

interface TagListProps {
  count: number;
  /** Those that are meant, read for each change. Its failure is reported, unless it was given up. */
  target(): Promise<Result<ActionTarget>>;
  /** The sample that alone is meant; null where there are several. */
  one: LibraryRow | null;
}

/** Of one sample all its tags, of several those that were given here. */
export function TagList({ count: countNow, target: targetNow, one }: TagListProps) {
  const bridge = useBridge();
  const suggestions = useTagSuggestions();
  const report = useChangeNews();
  const askMany = useManyQuestion();
  // As they were when the list opened: what is chosen may become another while tags are given.
  const [{ count, readTarget }] = useState({ count: countNow, readTarget: targetNow });
  const [tags, setTags] = useState<readonly string[]>(one?.tags ?? []);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.querySelector('input')?.focus(), []);
  // One tag alone: others may be on their way.
  const put = (tag: string, isIn: boolean): void =>
    setTags((before) => [...before.filter((each) => each !== tag), ...(isIn ? [tag] : [])]);
  const change = async (tag: string, gives: boolean): Promise<void> => {
    const target = await readTarget();
    const shown = visibleText(tag);
    if (target.ok) {
      const words = gives ? text.manyTag(shown) : text.manyUntag(shown);
      askMany(target.value, words, () => void changeNow(target.value, tag, gives));
    } else if (target.failure.kind !== 'cancelled') report(target, wordsOf(shown, gives, count));
  };
  const changeNow = async (target: ActionTarget, tag: string, gives: boolean): Promise<void> => {
    put(tag, gives);
    const result = await tagSamples(bridge, target, tag, gives);
    const words = wordsOf(visibleText(tag), gives, target.count);
    report(result, { ...words, onUndone: () => put(tag, !gives) });
    if (!result.ok || result.value.leftOut === target.count) put(tag, !gives);
  };
  return (
    <div ref={field} className={layout.stack8}>
      <TagField
        label={text.tagLabel(count)}
        tags={tags}
        {...suggestions}
        onAdd={(tag) => void change(tag, true)}
        onRemove={(tag) => void change(tag, false)}
      />
      <p className={typography.hint}>{text.tagHint}</p>
    </div>
  );
}

const wordsOf = (tag: string, gives: boolean, of: number): ChangeMessages =>
  gives
    ? {
        done: (count) => text.tagged(tag, count),
        nothing: text.hadAlready(tag),
        unchanged: { of, why: text.hadTag },
        noUndo: text.noUndo,
      }
    : {
        done: (count) => text.untagged(tag, count),
        nothing: text.hadNot(tag),
        unchanged: { of, why: text.lackedTag },
        noUndo: text.noUndo,
      };
