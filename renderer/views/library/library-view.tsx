import { ViewHead } from '../../components/view-head.tsx';
import { text } from './text.ts';

/** Every sample this desk knows. */
export function LibraryView() {
  return <ViewHead title={text.title} isLanding />;
}
