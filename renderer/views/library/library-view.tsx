import { SamplePage } from '../../features/sample/sample-page.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { LibraryList } from './library-list.tsx';

/** Every sample this desk knows, or one of them. */
export function LibraryView() {
  const { shownSample, openSample } = useNavigation();
  return shownSample === null ? (
    <LibraryList />
  ) : (
    <SamplePage key={shownSample} hash={shownSample} onBack={() => openSample(null)} />
  );
}
