import { Ellipsis, FileArchive, FilePlus, PackageOpen, ScanSearch } from 'lucide-react';
import { memo } from 'react';
import { useOperation } from '../../bridge/operations.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Menu } from '../../components/menu.tsx';
import { useLate } from '../../components/use-late.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useAdditions } from '../../features/additions/additions.tsx';
import { text as additionsText } from '../../features/additions/strings.ts';
import { useBundleStore } from '../../features/bundle/bundle-store.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import type { MeantSamples } from './actions/meant-samples.ts';
import { ColumnsAction } from './columns-action.tsx';
import { text } from './text.ts';
import type { FoundList } from './use-library-rows.ts';

export interface LibraryHeadProps {
  /** What was found last; null before that. */
  found: FoundList | null;
  /** By what is searched by now. */
  isAnswered: boolean;
  /** The same function from drawing to drawing. */
  onExport(meant: MeantSamples): void;
}

function Head({ found, isAnswered, onExport }: LibraryHeadProps) {
  const { openScan } = useNavigation();
  const additions = useAdditions();
  const { data } = useOperation('library.count', {});
  const isLate = useLate(!isAnswered);
  const all = isAnswered && found !== null && found.total > 0 ? found : null;
  const exportAll = ({ by: { terms }, total }: FoundList): void =>
    onExport({ count: total, ticked: total, selections: [{ kind: 'query', terms, except: [] }] });
  return (
    <ViewHead title={text.title} isLanding>
      <ViewLine role="status">
        {isLate ? text.searching : found !== null && foundWords(found, data?.samples ?? found.total)}
      </ViewLine>
      <ColumnsAction />
      <Button look="quiet" isDisabled={all === null} onPress={() => all !== null && exportAll(all)}>
        <FileArchive size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.exportButton}
      </Button>
      <Button onPress={additions.show} data-keywords={additionsText.words}>
        <FilePlus size={14} strokeWidth={1.6} aria-hidden="true" />
        {additionsText.button}
      </Button>
      <Button onPress={() => openScan(null)}>
        <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.hunt}
      </Button>
      <MoreMenu />
    </ViewHead>
  );
}

function MoreMenu() {
  const { show } = useBundleStore();
  const choices = [
    { id: 'bundle', text: text.openBundle, icon: <PackageOpen size={14} strokeWidth={1.6} aria-hidden="true" /> },
  ];
  return (
    <Menu
      label={text.more}
      choices={choices}
      onChoose={show}
      trigger={
        <IconButton label={text.more}>
          <Ellipsis size={14} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
      }
    />
  );
}

export const LibraryHead = memo(Head);

/** The whole is counted apart, and may be behind what is found for a moment. */
const foundWords = ({ by, total }: FoundList, all: number): string =>
  by.terms.length > 0 ? text.some(total, Math.max(total, all)) : text.all(total);
