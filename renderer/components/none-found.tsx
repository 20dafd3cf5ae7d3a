import { SearchX } from 'lucide-react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

export interface NoneFoundProps {
  title: string;
  sentence: string;
  /** What the button says that shows all again. */
  showAll: string;
  onShowAll(): void;
}

/** Nothing fits what is looked for: the way back is all there is to do. */
export function NoneFound({ title, sentence, showAll, onShowAll }: NoneFoundProps) {
  return (
    <EmptyState
      icon={<SearchX size={20} strokeWidth={1.6} />}
      title={title}
      sentence={sentence}
      action={<Button onPress={onShowAll}>{showAll}</Button>}
    />
  );
}
