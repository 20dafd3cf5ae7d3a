import { Tag } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import type { TlpLevel } from '../../../../shared/domain/tag.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { TagField } from '../../../components/tag-field/tag-field.tsx';
import { TlpMenu } from '../../../components/tlp-menu.tsx';
import { useTagSuggestions } from '../../../features/sample/sample-changes.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../strings.ts';
import type { ActionTarget } from './action-target.ts';
import styles from './actions.module.css';
import { setTlp, tagSamples, useChangeNews } from './change-samples.ts';
import { useManyQuestion } from './many-question.tsx';

interface TagActionProps {
  target: ActionTarget;
  /** The sample that alone is meant; null where there are several. */
  one: LibraryRow | null;
}

export function TagAction({ target, one }: TagActionProps) {
  const trigger = (
    <Button letter="T" isDisabled={target.count === 0} why={text.noneChosen}>
      <Tag size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.tag}
    </Button>
  );
  return <TagPopover target={target} one={one} trigger={trigger} />;
}

/** Local tags, added and removed as they are typed. */
export function TagPopover({ target, one, trigger }: TagActionProps & { trigger: ReactNode }) {
  return (
    <DialogTrigger>
      {trigger}
      <Popover className={classNames(surface.popover, styles.popover)} offset={4} containerPadding={8}>
        <Dialog className={classNames(styles.tagDialog)} aria-label={text.tagLabel(target.count)}>
          <Tags target={target} one={one} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** Of one sample all its tags, of several those that were given here. */
function Tags({ target: targetNow, one }: TagActionProps) {
  const bridge = useBridge();
  const suggestions = useTagSuggestions();
  const report = useChangeNews();
  const askMany = useManyQuestion();
  // As it was when the list opened: what is chosen may become another while tags are given.
  const [target] = useState(targetNow);
  const [tags, setTags] = useState<readonly string[]>(one?.tags ?? []);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.querySelector('input')?.focus(), []);
  // One tag alone: others may be on their way.
  const put = (tag: string, isIn: boolean): void =>
    setTags((before) => [...before.filter((each) => each !== tag), ...(isIn ? [tag] : [])]);
  const change = (tag: string, gives: boolean): void => {
    const shown = visibleText(tag);
    askMany(target, gives ? text.manyTag(shown) : text.manyUntag(shown), () => void changeNow(tag, gives));
  };
  const changeNow = async (tag: string, gives: boolean): Promise<void> => {
    put(tag, gives);
    const shown = visibleText(tag);
    const of = target.count;
    const words = gives
      ? {
          done: (count: number) => text.tagged(shown, count),
          nothing: text.hadAlready(shown),
          unchanged: { of, why: text.hadTag },
          noUndo: text.noUndo,
        }
      : {
          done: (count: number) => text.untagged(shown, count),
          nothing: text.hadNot(shown),
          unchanged: { of, why: text.lackedTag },
          noUndo: text.noUndo,
        };
    const result = await tagSamples(bridge, target, tag, gives);
    report(result, { ...words, onUndone: () => put(tag, !gives) });
    if (!result.ok || result.value.leftOut === target.count) put(tag, !gives);
  };
  return (
    <div ref={field} className={layout.stack8}>
      <TagField
        label={text.tagLabel(target.count)}
        tags={tags}
        {...suggestions}
        onAdd={(tag) => change(tag, true)}
        onRemove={(tag) => change(tag, false)}
      />
      <p className={typography.hint}>{text.tagHint}</p>
    </div>
  );
}

/** The local TLP: other sources keep theirs, and the strictest applies. */
export function TlpAction({ target }: { target: ActionTarget }) {
  const bridge = useBridge();
  const report = useChangeNews();
  const askMany = useManyQuestion();
  const set = async (level: TlpLevel | null): Promise<void> => {
    const done = (count: number): string =>
      level === null ? text.tlpTaken(count) : text.tlpSet(level.toUpperCase(), count);
    const unchanged = { of: target.count, why: text.hadTlp };
    report(await setTlp(bridge, target, level), { done, nothing: text.tlpSame, unchanged, noUndo: text.noUndo });
  };
  return (
    <TlpMenu
      label={text.tlpMenu}
      text={text.tlp}
      none={text.noTlp}
      isDisabled={target.count === 0}
      why={text.noneChosen}
      onChoose={(level) =>
        askMany(target, text.manyTlp(level === null ? null : level.toUpperCase()), () => void set(level))
      }
    />
  );
}
