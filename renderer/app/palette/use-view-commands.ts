import { visibleText } from '../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../components/format.ts';
import { useLibraryPlaces } from '../library/library-place.tsx';
import { useSavedViews } from '../library/use-saved-views.ts';
import { useNavigation } from '../navigation.tsx';
import type { Command } from './commands.ts';

const longestQueryShown = 40;

/** The saved views of the library, with what each asks for. */
export function useViewCommands(): Command[] {
  const { views } = useSavedViews();
  const places = useLibraryPlaces();
  const { openLibrary } = useNavigation();
  return views.map((view) => ({
    id: `view:${view.id}`,
    title: visibleText(view.name),
    keywords: view.query,
    detail: visibleText(cutMiddle(view.query, longestQueryShown)),
    leadsTo: 'library',
    run: () => {
      places.showView(view);
      openLibrary();
    },
  }));
}
