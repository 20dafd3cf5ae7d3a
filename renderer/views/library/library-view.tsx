import { LibraryList } from './library-list.tsx';

/** Every sample this desk knows. */
export function LibraryView() {
  return <LibraryList />;
}
