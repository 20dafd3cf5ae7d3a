import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { jobId } from './job.ts';
import { workspaceId } from './workspace.ts';

/** Where tokens are: the system keychain, a file sealed with a passphrase, or memory until Vitrine ends. */
export const secretsState = z.object({
  store: z.enum(['keychain', 'sealed-file', 'memory']),
  /** `damaged`: its file cannot be read. It is put aside when a new one is begun. */
  state: z.enum(['open', 'locked', 'damaged']),
  /** The keychain's own name, when that is the store. */
  backend: z.string().nullable(),
});
export type SecretsState = z.infer<typeof secretsState>;

export const labState = z.object({
  state: z.enum(['starting', 'running', 'restarting', 'stopped']),
  restarts: z.number().int().nonnegative(),
  /** Why it stopped: what it said, or `lab-failed` when it ended again and again. */
  failure: failureSchema.nullable(),
});
export type LabState = z.infer<typeof labState>;

export const hostDescription = z.object({
  name: z.string(),
  version: z.string(),
  platform: z.enum(['desktop', 'web']),
  /** It was installed, and is started by its own name; else it runs from its sources. */
  isPackaged: z.boolean(),
  /** What this host can do; the page asks for these and never for the kind of host. */
  capabilities: z.object({
    chooseFolder: z.boolean(),
    openFolders: z.boolean(),
    browserDownload: z.boolean(),
    windowControls: z.boolean(),
    notifications: z.boolean(),
    /** Closing the window may leave it running, by choice. macOS has its own way. */
    staysInTray: z.boolean(),
    /** It can end and start itself, which a move of the data needs. */
    restarts: z.boolean(),
  }),
  dataDirectory: z.string(),
  exportFolder: z.string().nullable(),
  secrets: secretsState,
  lab: labState,
});
export type HostDescription = z.infer<typeof hostDescription>;

/**
 * A folder that a person at a terminal named, or that the host listed for the page: the host gave this id for its path.
 * The page never names a path; a request without an id goes to the folder the host asks the person for, or was started
 * with.
 */
export const folderGrant = z.string().regex(/^[0-9a-f]{32}$/, 'a folder’s id');

/** The name of a new folder, as every system takes it. */
export const folderName = z
  .string()
  .min(1, 'a name')
  .max(100, 'a name of at most 100 characters')
  .regex(/^[^\\/:*?"<>|\p{Cc}]+$/u, 'a name without / \\ : * ? " < > |')
  .refine((name) => !name.startsWith('.') && !/[. ]$/.test(name), 'a name that neither begins nor ends with a dot');

/** Where folders may be chosen: the person's own, disks, and what was named when the program was started. */
export const folderPlace = z.enum(['home', 'disk', 'named']);
export type FolderPlace = z.infer<typeof folderPlace>;

/**
 * The folders in a folder, for hosts without a picker of the system's. A chosen one is named by its id, so that no path
 * comes from the page.
 */
export const folderListing = z.object({
  /** What is listed; null: the places that one begins from. */
  folder: z.object({ id: folderGrant, path: z.string() }).nullable(),
  /** The folder around it; null: the places. */
  parent: folderGrant.nullable(),
  /** `place`: of those that one begins from; their name is their path. */
  folders: z.array(z.object({ id: folderGrant, name: z.string(), place: folderPlace.nullable() })),
  /** There are more than are listed. */
  isCut: z.boolean(),
});
export type FolderListing = z.infer<typeof folderListing>;

/**
 * The views of the sidebar, in its order, which is that of Ctrl 1, Ctrl 2 and so on: the page and the desktop's menus
 * name them alike.
 */
export const navigationViews = [
  { name: 'library', title: 'Library' },
  { name: 'lookup', title: 'Look up' },
  { name: 'bulk-download', title: 'Bulk download' },
  { name: 'upload', title: 'Upload' },
  { name: 'comments', title: 'Comments' },
  { name: 'scan', title: 'Scan' },
  { name: 'publications', title: 'Publications' },
  { name: 'activity', title: 'Activity' },
  { name: 'journal', title: 'Journal' },
] as const;

export type NavigationView = (typeof navigationViews)[number]['name'];

/**
 * Where the desktop's shell (a menu, a notification, the dock) leads the page. It only shows: none of these changes or
 * sends anything, and `save-diagnostics` writes where the person then chooses.
 */
export const shellCommand = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open-view'), view: z.enum([...navigationViews.map(({ name }) => name), 'settings']) }),
  z.object({ kind: z.literal('open-about') }),
  z.object({ kind: z.literal('open-storage') }),
  z.object({ kind: z.literal('open-job'), id: jobId }),
  z.object({ kind: z.literal('open-comments'), workspaceId }),
  z.object({ kind: z.literal('open-updates'), workspaceId }),
  z.object({ kind: z.literal('open-palette') }),
  z.object({ kind: z.literal('show-keys') }),
  z.object({ kind: z.literal('fold-sidebar') }),
  z.object({ kind: z.literal('save-diagnostics') }),
]);
export type ShellCommand = z.infer<typeof shellCommand>;
