export const settingsSections = [
  'appearance',
  'workspaces',
  'storage',
  'downloads',
  'uploads',
  'watch',
  'scans',
  'rules',
  'export',
  'tokens',
  'keyboard',
  'about',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

interface SettingEntry {
  section: SettingsSection;
  /** As it is called where it is changed. */
  label: string;
  /** Other words that people look for it by. */
  words: string;
}

/** Every setting with the place it is changed at, for the search of the settings and for the palette. */
const entries = {
  theme: { section: 'appearance', label: 'Theme', words: 'dark light night mode colour color' },
  times: { section: 'appearance', label: 'Times', words: 'time zone utc local clock date hours' },
  whenClosed: {
    section: 'appearance',
    label: 'When the window is closed',
    words: 'tray quit exit background minimize minimise',
  },
  notifications: { section: 'appearance', label: 'Notifications', words: 'notify alerts desktop background' },

  workspaces: {
    section: 'workspaces',
    label: 'Workspaces',
    words: 'server service address url repository rule editor account add switch remove',
  },
  connectionTest: {
    section: 'workspaces',
    label: 'Connection test',
    words: 'test connection server actions supported missing ping online',
  },
  trust: {
    section: 'workspaces',
    label: 'Certificates (TLS)',
    words: 'certificate ca authority pin fingerprint trust ssl https self-signed',
  },
  proxy: { section: 'workspaces', label: 'Proxy', words: 'network socks http no_proxy corporate' },
  clientCertificate: {
    section: 'workspaces',
    label: 'Client certificate',
    words: 'mtls pkcs12 p12 pfx key network',
  },
  frontLogin: { section: 'workspaces', label: 'Web server login', words: 'basic http password user name network' },
  timeouts: { section: 'workspaces', label: 'Timeouts', words: 'seconds slow wait connection' },
  compatibility: {
    section: 'workspaces',
    label: 'Repository compatibility',
    words: 'comments dialect format receiver virustotal sandbox undocumented actions json brackets',
  },

  dataFolder: {
    section: 'storage',
    label: 'Data folder',
    words: 'directory location move path vault disk space free usage size',
  },
  backup: { section: 'storage', label: 'Backup', words: 'back up copy restore save folder' },
  vaultCheck: { section: 'storage', label: 'Vault check', words: 'verify integrity intact damaged samples' },
  cleanUp: {
    section: 'storage',
    label: 'Clean up',
    words: 'cleanup reclaim free space unused delete purge wipe erase',
  },

  connections: {
    section: 'downloads',
    label: 'Parallel requests',
    words: 'bulk download connections speed fast concurrent',
  },
  urlBytes: { section: 'downloads', label: 'Maximum URL length, in bytes', words: 'bulk download address long limit' },

  uploadFiles: { section: 'uploads', label: 'Files per request', words: 'upload limit batch' },
  uploadMebibytes: { section: 'uploads', label: 'Request size, in MiB', words: 'upload limit large big' },
  archiveLimits: { section: 'uploads', label: 'Archive limits', words: 'zip bomb members expansion size' },

  watch: { section: 'watch', label: 'Watched folder', words: 'watch directory incoming automatic new files inbox' },

  scanEngine: { section: 'scans', label: 'Engine', words: 'yara native portable wasm local scan' },
  scanSeconds: { section: 'scans', label: 'Time limit per file, in seconds', words: 'scan timeout slow' },
  scanMebibytes: { section: 'scans', label: 'Maximum file size, in MiB', words: 'scan limit large big' },
  scanMemory: {
    section: 'scans',
    label: 'Memory limit per engine process, in MiB',
    words: 'scan ram limit',
  },

  rules: {
    section: 'rules',
    label: 'Rule updates',
    words: 'publications packages install check automatic schedule groups release test variables externals keep',
  },

  exportEncryption: { section: 'export', label: 'Encryption', words: 'zip aes zipcrypto export' },
  exportPassword: { section: 'export', label: 'Password for exported ZIPs', words: 'infected zip export' },

  tokens: {
    section: 'tokens',
    label: 'Tokens',
    words: 'keychain keyring sealed file passphrase secret password api key lock unlock forget memory',
  },

  singleLetters: { section: 'keyboard', label: 'Single-key shortcuts', words: 'letters keys accessibility' },
  shortcuts: { section: 'keyboard', label: 'Shortcuts', words: 'keys hotkeys keyboard list' },

  version: { section: 'about', label: 'Version', words: 'release build host export folder' },
  diagnostics: { section: 'about', label: 'Diagnostics', words: 'bug report log support problem crash' },
  journal: { section: 'about', label: 'Journal', words: 'verify chain audit log' },
  licences: { section: 'about', label: 'Licences', words: 'licenses open source third-party notices' },
} as const satisfies Record<string, SettingEntry>;

export type SettingPlace = keyof typeof entries;
export const settingEntries: Readonly<Record<SettingPlace, SettingEntry>> = entries;

const isPlace = (name: string): name is SettingPlace => Object.hasOwn(entries, name);
export const settingPlaces: readonly SettingPlace[] = Object.keys(entries).filter(isPlace);

/**
 * The settings that contain every word: those that are called so first, then by other words, then by their help.
 * `sections`: what sections are called; `help`: the sentences beside a setting.
 */
export function findSettings(
  find: string,
  sections: Readonly<Record<SettingsSection, string>>,
  help: Readonly<Partial<Record<SettingPlace, string>>>,
): SettingPlace[] {
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const rankOf = (place: SettingPlace): number => {
    const { section, label, words: others } = settingEntries[place];
    const texts = [label, `${label} ${sections[section]}`, `${label} ${sections[section]} ${others}`];
    const all = `${texts[2]} ${help[place] ?? ''}`;
    return [...texts, all].findIndex((text) => words.every((word) => hasWord(text, word)));
  };
  return settingPlaces
    .map((place) => ({ place, rank: rankOf(place) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ place }) => place);
}

/** A word of the text begins with it: `time` is in `Timeouts`, and `port` is not in `supported`. */
const hasWord = (text: string, word: string): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .some((each) => each.startsWith(word));
