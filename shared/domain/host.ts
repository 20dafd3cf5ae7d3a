import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';

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
