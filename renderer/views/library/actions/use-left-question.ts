import { type LeftQuestion, useLibraryPlaces } from '../../../app/library/library-place.tsx';
import { useNavigation } from '../../../app/navigation.tsx';

/** Leads to the list of the library, and asks there. */
export function useLeftQuestion(): (question: LeftQuestion) => void {
  const places = useLibraryPlaces();
  const { openLibrary } = useNavigation();
  return (question) => {
    places.ask(question);
    openLibrary();
  };
}
