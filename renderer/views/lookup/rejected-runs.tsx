import { Notice } from '../../components/notice.tsx';
import { text } from './text.ts';

const lengthsNamed = 20;

/** Every run that looked meant as a hash and is none is counted: nothing is dropped in silence. */
export function RejectedRuns({ lengths, isAlert = false }: { lengths: readonly number[]; isAlert?: boolean }) {
  if (lengths.length === 0) return null;
  const named = lengths.slice(0, lengthsNamed).join(', ');
  return <Notice meaning="warn" title={text.rejectedTitle(lengths.length)} isAlert={isAlert}>{text.rejected(lengths.length > lengthsNamed ? `${named} …` : named)}</Notice>;
}
