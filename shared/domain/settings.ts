import { z } from 'zod';
import { seenLine } from './seen-line.ts';

export const theme = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof theme>;
export const zipEncryption = z.enum(['aes-256', 'zipcrypto']);
export type ZipEncryption = z.infer<typeof zipEncryption>;

/** One row a setting, each read by its own schema: a damaged row falls back to its default and is named. */
export const settingSchemas = {
  theme,
  exportPassword: seenLine('a password', 128),
  exportEncryption: zipEncryption,
  currentWorkspace: z.string(),
  singleLetterKeys: z.boolean(),
  /** The desktop tells of what ended while nobody looked. */
  notifications: z.boolean(),
  /** The person has been through the welcome, or past it. */
  welcomed: z.boolean(),
  /** The longest address, in bytes, that a bulk download asks with: many servers refuse longer ones. */
  bulkUrlBytes: z.number().int().min(512, 'at least 512 bytes').max(65_536, 'at most 65,536 bytes'),
  /** Requests to one workspace's repository at a time. */
  bulkConnections: z.number().int().min(1, 'at least one').max(8, 'at most eight'),
  /** Files in one request of an upload: many servers read twenty and lose the rest. */
  uploadFiles: z.number().int().min(1, 'at least one').max(100, 'at most 100'),
  /** MiB of files in one request of an upload; a larger file goes alone. */
  uploadMebibytes: z.number().int().min(1, 'at least one').max(16_384, 'at most 16,384'),
  /** `auto`: native code where there is some for this machine. */
  scanEngine: z.enum(['auto', 'native', 'wasm']),
  /** A file that takes longer to scan here is given up. */
  scanSeconds: z.number().int().min(1, 'at least one').max(600, 'at most 600 seconds'),
  /** MiB: an engine takes a whole file into memory, and larger ones are not scanned here. */
  scanMebibytes: z.number().int().min(1, 'at least one').max(1900, 'at most 1,900'),
} as const;

export type SettingName = keyof typeof settingSchemas;
export type Settings = { [N in SettingName]: z.infer<(typeof settingSchemas)[N]> };

/** `infected` is the field's convention for an archive that holds a sample. */
export const defaultSettings: Settings = {
  theme: 'system',
  exportPassword: 'infected',
  exportEncryption: 'aes-256',
  currentWorkspace: 'lab',
  singleLetterKeys: true,
  notifications: true,
  welcomed: false,
  bulkUrlBytes: 8000,
  bulkConnections: 2,
  uploadFiles: 10,
  uploadMebibytes: 512,
  scanEngine: 'auto',
  scanSeconds: 30,
  scanMebibytes: 512,
};

export const settings = z.object(settingSchemas);
export const settingsChange = z.object(settingSchemas).partial();
