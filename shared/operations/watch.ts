import { z } from 'zod';
import { folderGrant } from '../domain/folder-grant.ts';
import { watchState } from '../domain/watch.ts';
import { workspaceId } from '../domain/workspace.ts';
import { nothing, operation } from './operation.ts';

export const watchOperations = {
  'watch.state': operation({ input: nothing, output: watchState }),
  /**
   * Asks the person for a folder, or takes the one that was named; `isChosen` false: they chose none. What is in it is
   * left alone. Fails with `watch-refused`.
   */
  'watch.chooseFolder': operation({
    input: z.object({ folder: folderGrant.optional() }),
    output: z.object({ isChosen: z.boolean(), state: watchState }),
  }),
  /** Fails with `watch-refused` while no folder is chosen. */
  'watch.turn': operation({ input: z.object({ isOn: z.boolean(), workspaceId }), output: watchState }),
  /** Takes what it found out of the list. The draft and the library keep it. */
  'watch.clear': operation({ input: nothing, output: watchState }),
} as const;
