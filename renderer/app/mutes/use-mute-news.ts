import type { Mute } from '../../../shared/domain/mute.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { type Result } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-words.ts';
import { cutMiddle } from '../../components/middle-cut.ts';
import { useToast } from '../../components/toasts.tsx';
import { text } from './text.ts';

const longestName = 40;
const shortName = (rule: string): string => visibleText(cutMiddle(rule, longestName));

/** Says what was muted or is not any more, with the way back. */
export function useMuteNews(): { tellMuted(mute: Mute): void; tellUnmuted(mute: Mute): void } {
  const bridge = useBridge();
  const toast = useToast();
  // The view that it was done in may be gone by then: a failure is told where the button was.
  const undo = (reply: Promise<Result<unknown>>): void => {
    void reply.then((result) => !result.ok && toast({ meaning: 'bad', text: text.notUndone(failureWords(result.failure).what), failure: result.failure }));
  };
  return {
    tellMuted: ({ id, rule }) => toast({ meaning: 'ok', text: text.muted(shortName(rule)), undo: () => undo(bridge.call('mutes.remove', { id })) }),
    tellUnmuted: ({ workspaceId, rule, sample, reason, expires }) =>
      toast({ meaning: 'ok', text: text.unmuted(shortName(rule)), undo: () => undo(bridge.call('mutes.add', { workspaceId, rule, sample, reason, expires })) }),
  };
}
