import { useState } from 'react';
import { isSameDraft } from '../../../shared/domain/comment.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useIsHere } from '../use-is-here.ts';
import type { KeptDraft } from './kept-draft.ts';
import { text } from './text.ts';

export interface Sending {
  /** The draft is on its way into the host's hands; from then on its thread shows it. */
  isHandingOver: boolean;
  /** Why nothing was begun. The text is in the draft again. */
  failure: Failure | null;
  send(): Promise<void>;
}

/** Sends the draft. Another one can be written and sent while the answer is awaited. */
export function useSend(workspaceId: string, md5: string, kept: KeptDraft): Sending {
  const bridge = useBridge();
  const toast = useToast();
  const isHere = useIsHere();
  const [isHandingOver, setHandingOver] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const tell = (why: Failure): void => {
    if (isHere()) setFailure(why);
    else toast({ meaning: 'bad', text: text.notSent(failureWords(why).what), failure: why });
  };
  const send = async (): Promise<void> => {
    setFailure(null);
    setHandingOver(true);
    const { draft } = kept.snapshot();
    // Kept at the host first: whatever ends the page now, the text is a draft or a comment, and never neither.
    const notKept = await kept.flush();
    setHandingOver(false);
    if (notKept !== null) return tell(notKept);
    // Another text came from elsewhere: it is shown, and nobody has read it before it would be sent.
    if (!isSameDraft(kept.snapshot().draft, draft)) return undefined;
    kept.sent();
    const answer = await bridge.call('comments.send', { workspaceId, md5, draft });
    if (answer.ok) return undefined;
    kept.putBack(draft);
    return tell(answer.failure);
  };
  return { isHandingOver, failure, send };
}
