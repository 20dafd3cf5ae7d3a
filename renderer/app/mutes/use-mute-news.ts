import type { AddedMute, Mute, MuteStep } from '../../../shared/domain/mute.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { cutMiddle } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { text } from './text.ts';

const longestName = 40;
const shortName = (rule: string): string => visibleText(cutMiddle(rule, longestName));

/** Says what was muted or is not any more, with the way back. */
export function useMuteNews(): { tellMuted(mute: AddedMute): void; tellUnmuted(mute: Mute): void } {
  const bridge = useBridge();
  const toast = useToast();
  // The view that it was done in may be gone by then: a failure is told where the button was.
  const takeBack = async (step: MuteStep): Promise<void> => {
    const result = await bridge.call('mutes.undo', step);
    if (!result.ok)
      toast({ meaning: 'bad', text: text.notUndone(failureWords(result.failure).what), failure: result.failure });
  };
  const tell = (words: string, step: MuteStep): void =>
    toast({ meaning: 'ok', text: words, undo: () => void takeBack(step) });
  return {
    tellMuted: ({ rule, replaces, undo }) =>
      tell((replaces ? text.mutedAnew : text.muted)(shortName(rule)), { added: undo }),
    tellUnmuted: ({ id, rule }) => tell(text.unmuted(shortName(rule)), { removed: id }),
  };
}
