import type { PublicationsTab, SettingsSection } from './navigation.tsx';

/** What places inside of a room are called, there and in the palette. */
export const settingsNames: Readonly<Record<SettingsSection, string>> = {
  appearance: 'Appearance',
  workspaces: 'Workspaces',
  storage: 'Storage',
  downloads: 'Downloads',
  uploads: 'Uploads',
  watch: 'Watched folder',
  scans: 'Scans',
  rules: 'Rule updates',
  export: 'Export',
  tokens: 'Tokens',
  keyboard: 'Keyboard',
  about: 'About',
};

export const tabNames: Readonly<Record<PublicationsTab, string>> = {
  updates: 'Updates',
  rules: 'Rules',
  mutes: 'Mutes',
  publish: 'Publish',
};
