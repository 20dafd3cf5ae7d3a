import { z } from 'zod';
import { jobId } from './job.ts';
import { railRooms } from './rail-room.ts';
import { workspaceId } from './workspace.ts';

/**
 * Where the desktop's shell (a menu, a notification, the dock) leads the page. It only shows: none of these changes or
 * sends anything, and `save-diagnostics` writes where the person then says.
 */
export const shellCommand = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open-room'), room: z.enum([...railRooms.map(({ name }) => name), 'settings']) }),
  z.object({ kind: z.literal('open-about') }),
  z.object({ kind: z.literal('open-storage') }),
  z.object({ kind: z.literal('open-job'), id: jobId }),
  z.object({ kind: z.literal('open-comments'), workspaceId }),
  z.object({ kind: z.literal('open-updates'), workspaceId }),
  z.object({ kind: z.literal('open-palette') }),
  z.object({ kind: z.literal('show-keys') }),
  z.object({ kind: z.literal('fold-rail') }),
  z.object({ kind: z.literal('save-diagnostics') }),
]);
export type ShellCommand = z.infer<typeof shellCommand>;
