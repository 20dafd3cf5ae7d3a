import { useMemo } from 'react';
import { useLibraryLayout } from '../../features/library/library-place.tsx';
import { useCommands } from '../../state/commands.tsx';
import { text } from './text.ts';

/** In the palette, what Space does on a row; `isOffered`: there is a row that it would show. */
export function useInspectorCommand(isOffered: boolean): void {
  const [{ showsInspector }, change] = useLibraryLayout();
  useCommands(
    useMemo(() => {
      const toggle = {
        id: 'library:inspector',
        title: text.toggleInspector,
        keys: text.inspectorKey,
        run: () => change({ showsInspector: !showsInspector }),
      };
      return { actions: isOffered ? [toggle] : [] };
    }, [isOffered, showsInspector, change]),
  );
}
