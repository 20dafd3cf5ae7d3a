import type { OperationInput, OperationName, OperationOutput } from '../../../shared/contract.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useToast } from '../../components/toasts.tsx';
import { text } from './strings.ts';

/** Does it, and says why where it could not be done. */
export function useTold(): <N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  what: string,
  onDone?: (output: OperationOutput<N>) => void,
) => Promise<void> {
  const bridge = useBridge();
  const toast = useToast();
  return async (name, input, what, onDone) => {
    const answer = await bridge.call(name, input);
    if (answer.ok) onDone?.(answer.value);
    else toast({ meaning: 'bad', text: text.failed(what, visibleText(sentenceFor(answer.failure).what)) });
  };
}
