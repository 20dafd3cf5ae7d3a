import { FileArchive, ScanSearch } from 'lucide-react';
import type { QueryTerm } from '../../../shared/domain/query-term.ts';
import { useNavigation } from '../../app/navigation.tsx';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { useLate } from '../../components/use-late.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import type { ExportAct } from './actions/use-export.ts';
import { ColumnsAction } from './columns-action.tsx';
import { text } from './text.ts';

export interface LibraryHeadProps {
  /** How many are found; null while that is not known. */
  total: number | null;
  /** By a query, and not all there are. */
  isFound: boolean;
  terms: QueryTerm[];
  exports: ExportAct;
}

export function LibraryHead({ total, isFound, terms, exports }: LibraryHeadProps) {
  const { openScan } = useNavigation();
  const { data } = useOperation('library.count', {});
  const isLate = useLate(total === null);
  const exportAll = (): void => exports.ask({ count: total ?? 0, ticked: total ?? 0, selections: [{ kind: 'query', terms, except: [] }] });
  return (
    <ViewHead title={text.title} isLanding>
      <ViewLine role="status">{total === null ? isLate && text.searching : foundWords(total, isFound, data?.samples ?? total)}</ViewLine>
      <ColumnsAction />
      <Button look="quiet" isDisabled={total === null || total === 0} onPress={exportAll}><FileArchive size={14} strokeWidth={1.6} aria-hidden="true" />{text.exportButton}</Button>
      <Button onPress={() => openScan(null)}><ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />{text.hunt}</Button>
    </ViewHead>
  );
}

/** The whole is counted apart, and may be behind what is found for a moment. */
const foundWords = (total: number, isFound: boolean, all: number): string => (isFound ? text.some(total, Math.max(total, all)) : text.all(total));
