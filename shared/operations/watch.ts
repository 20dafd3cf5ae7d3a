import { z } from 'zod';
import { folderGrant } from '../domain/folder-grant.ts';
import { watchState } from '../domain/watch.ts';
import { workspaceId } from '../domain/workspace.ts';
import { nothing, operation } from './operation.ts';

export const watchOperations = {
  'watch.state': operation(nothing, watchState),
  /**
   * Asks the person for a folder, or takes the one that was named; `isChosen` false: they chose none. What is in it is
   * left alone. Fails with `watch-refused`.
   */
  'watch.chooseFolder': operation(
    z.object({ folder: folderGrant.optional() }),
    z.object({ isChosen: z.boolean(), state: watchState }),
  ),
  /** Fails with `watch-refused` while no folder is chosen. */
  'watch.turn': operation(z.object({ isOn: z.boolean(), workspaceId }), watchState),
  /** Takes what it found out of the list. The draft and the library keep it. */
  'watch.clear': operation(nothing, watchState),
} as const;
