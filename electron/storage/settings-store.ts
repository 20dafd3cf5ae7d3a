import { z } from 'zod';
import {
  defaultSettings,
  settings,
  settingSchemas,
  type SettingName,
  type Settings,
} from '../../shared/domain/settings.ts';
import type { Database } from './database.ts';
import { readJson } from './stored-json.ts';

const row = z.object({ name: z.string(), value: z.string() });
const settingNames = settings.keyof().options;

export interface SettingsReading {
  values: Settings;
  /** Settings whose stored value cannot be read: at their default, and kept as they are until they are changed. */
  damaged: SettingName[];
}

/** One row a setting, as JSON, each read by its own schema: one damaged row costs one setting. */
export class SettingsStore {
  readonly #db: Database;
  readonly #rows;
  readonly #put;

  constructor(db: Database) {
    this.#db = db;
    this.#rows = db.query(row, 'SELECT name, value FROM setting');
    this.#put = db.command(
      'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
  }

  read(): SettingsReading {
    const stored = new Map(this.#rows.all().map(({ name, value }) => [name, readJson(value)]));
    const present = settingNames.filter((name) => stored.has(name));
    const damaged = present.filter((name) => !settingSchemas[name].safeParse(stored.get(name)).success);
    const good = present.filter((name) => !damaged.includes(name)).map((name) => [name, stored.get(name)]);
    return { values: settings.parse({ ...defaultSettings, ...Object.fromEntries(good) }), damaged };
  }

  /** Stores the settings that are given, all or none. */
  change(change: { [N in SettingName]?: Settings[N] | undefined }): Settings {
    this.#db.transaction(() => {
      for (const name of settingNames) {
        if (change[name] !== undefined) this.#put.run(name, JSON.stringify(settingSchemas[name].parse(change[name])));
      }
    });
    return this.read().values;
  }
}
