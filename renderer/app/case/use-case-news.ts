import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useEvent } from '../../bridge/use-event.ts';
import { failureWords } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { text } from './text.ts';

/** A sample that proves to be damaged while a case leaves is met after the dialog has gone. */
export function useCaseNews(): void {
  const toast = useToast();
  useEvent('cases.left', ({ fileName, withoutBytes, failure }) =>
    toast({
      meaning: 'bad',
      text: text.leftWithout(visibleText(fileName), withoutBytes, failureWords(failure).what),
      failure,
    }),
  );
}
