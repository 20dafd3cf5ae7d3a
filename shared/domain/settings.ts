import { z } from 'zod';
import { seenLine } from './schema-parts.ts';

export const theme = z.enum(['system', 'light', 'dark'], 'system, light or dark');
export type Theme = z.infer<typeof theme>;
/** In which zone the page shows times. What is stored, exported or printed is in UTC. */
export const timeDisplay = z.enum(['utc', 'local'], 'utc or local');
export type TimeDisplay = z.infer<typeof timeDisplay>;
export const zipEncryption = z.enum(['aes-256', 'zipcrypto'], 'aes-256 or zipcrypto');
export type ZipEncryption = z.infer<typeof zipEncryption>;
/**
 * The effect of closing the window, where a program may continue without one. `ask`: a question when something would
 * end, else it quits.
 */
export const whenClosed = z.enum(['ask', 'tray', 'quit'], 'ask, tray or quit');
export type WhenClosed = z.infer<typeof whenClosed>;

function wholeNumber(what: string, least: number, most: number) {
  // Said when it is needed: the first number that is written out in a language takes a start ten milliseconds.
  const words = { error: () => `${what} from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}` };
  return z.number(words).int(words).min(least, words).max(most, words);
}

/** One row a setting, each read by its own schema: a damaged row falls back to its default and is named. */
export const settingSchemas = {
  theme,
  times: timeDisplay,
  exportPassword: seenLine('a password', 128),
  exportEncryption: zipEncryption,
  currentWorkspace: z.string('a workspace id'),
  singleLetterKeys: z.boolean('on or off'),
  /** The desktop notifies of jobs that ended out of view. */
  notifications: z.boolean('on or off'),
  whenClosed,
  /** The person has been through the welcome, or past it. */
  welcomed: z.boolean('on or off'),
  /** The longest address, in bytes, that a bulk download asks with: many servers refuse longer ones. */
  bulkUrlBytes: wholeNumber('a whole number of bytes', 512, 65_536),
  /** Requests to one workspace's repository at a time. */
  bulkConnections: wholeNumber('a whole number', 1, 8),
  /** Files in one request of an upload: many servers read twenty and lose the rest. */
  uploadFiles: wholeNumber('a whole number of files', 1, 100),
  /** MiB of files in one request of an upload; a larger file goes alone. */
  uploadMebibytes: wholeNumber('a whole number of MiB', 1, 16_384),
  /** `auto`: native code where there is some for this machine. */
  scanEngine: z.enum(['auto', 'native', 'wasm'], 'auto, native or wasm'),
  /** A file that takes longer to scan here is given up. */
  scanSeconds: wholeNumber('a whole number of seconds', 1, 600),
  /** MiB: an engine takes a whole file into memory, and larger ones are not scanned here. */
  scanMebibytes: wholeNumber('a whole number of MiB', 1, 1900),
  /** MiB of memory for one engine process. One that takes more is ended. */
  scanMemoryMebibytes: wholeNumber('a whole number of MiB', 256, 65_536),
} as const;

export type SettingName = keyof typeof settingSchemas;
export type Settings = { [N in SettingName]: z.infer<(typeof settingSchemas)[N]> };

/** `infected` is the field's convention for an archive that holds a sample. */
export const defaultSettings: Settings = {
  theme: 'system',
  times: 'utc',
  exportPassword: 'infected',
  exportEncryption: 'aes-256',
  currentWorkspace: 'lab',
  singleLetterKeys: true,
  notifications: true,
  whenClosed: 'ask',
  welcomed: false,
  bulkUrlBytes: 8000,
  bulkConnections: 2,
  uploadFiles: 10,
  uploadMebibytes: 512,
  scanEngine: 'auto',
  scanSeconds: 30,
  scanMebibytes: 512,
  scanMemoryMebibytes: 2048,
};

export const settings = z.object(settingSchemas);
export const settingsChange = z.object(settingSchemas).partial();

/** Records are small: so many are fetched at a time where downloads have so many connections. */
export const recordsAtOnce = (bulkConnections: number): number => Math.min(16, 4 * bulkConnections);
