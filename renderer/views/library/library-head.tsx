import { FileArchive, ScanSearch } from 'lucide-react';
import { memo } from 'react';
import type { QueryTerm } from '../../../shared/domain/query-term.ts';
import { useNavigation } from '../../app/navigation.tsx';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { useLate } from '../../components/use-late.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import type { MeantSamples } from './actions/meant-samples.ts';
import { ColumnsAction } from './columns-action.tsx';
import { text } from './text.ts';

export interface LibraryHeadProps {
  /** How many are found; null while that is not known. */
  total: number | null;
  /** By a query, and not all there are. */
  isFound: boolean;
  terms: QueryTerm[];
  /** The same function from drawing to drawing. */
  onExport(meant: MeantSamples): void;
}

function Head({ total, isFound, terms, onExport }: LibraryHeadProps) {
  const { openScan } = useNavigation();
  const { data } = useOperation('library.count', {});
  const isLate = useLate(total === null);
  const exportAll = (): void => onExport({ count: total ?? 0, ticked: total ?? 0, selections: [{ kind: 'query', terms, except: [] }] });
  return (
    <ViewHead title={text.title} isLanding>
      <ViewLine role="status">{total === null ? isLate && text.searching : foundWords(total, isFound, data?.samples ?? total)}</ViewLine>
      <ColumnsAction />
      <Button look="quiet" isDisabled={total === null || total === 0} onPress={exportAll}><FileArchive size={14} strokeWidth={1.6} aria-hidden="true" />{text.exportButton}</Button>
      <Button onPress={() => openScan(null)}><ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />{text.hunt}</Button>
    </ViewHead>
  );
}

export const LibraryHead = memo(Head);

/** The whole is counted apart, and may be behind what is found for a moment. */
const foundWords = (total: number, isFound: boolean, all: number): string => (isFound ? text.some(total, Math.max(total, all)) : text.all(total));
