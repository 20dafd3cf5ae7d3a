import { Tag } from 'lucide-react';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import type { TlpLevel } from '../../../../shared/domain/tag.ts';
import { success } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { TlpMenu } from '../../../components/tlp-menu.tsx';
import type { ActionTarget } from '../../../features/library/action-target.ts';
import { setTlp, useChangeNews } from '../../../features/library/change-samples.ts';
import { useManyQuestion } from '../../../features/library/many-question.tsx';
import { TagList, TagPopover } from '../../../features/library/tag-popover.tsx';
import { text } from '../strings.ts';

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
  return (
    <TagPopover count={target.count} trigger={trigger}>
      <TagList count={target.count} target={async () => success(target)} one={one} />
    </TagPopover>
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
