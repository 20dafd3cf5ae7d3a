import { z } from 'zod';
import {
  defaultSettings,
  type SettingName,
  settings,
  type Settings,
  settingSchemas,
} from '../../../shared/domain/settings.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';

const row = z.object({ name: z.string(), value: z.string() });
const settingNames = settings.keyof().options;

interface SettingsReading {
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

/** Among the settings, where a name that is none means nothing. */
const prefix = 'under-way ';
const noteRow = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/), folder: z.string() });

/** Files that are being written into folders of the person's, each by an id that is in its name. */
export class FileNoteStore {
  readonly #all;
  readonly #put;
  readonly #drop;

  constructor(db: Database) {
    this.#all = db.query(
      noteRow,
      `SELECT substr(name, ${prefix.length + 1}) AS id, value AS folder FROM setting
        WHERE substr(name, 1, ${prefix.length}) = '${prefix}'`,
    );
    this.#put = db.command(`INSERT INTO setting (name, value) VALUES ('${prefix}' || ?, ?)`);
    this.#drop = db.command(`DELETE FROM setting WHERE name = '${prefix}' || ?`);
  }

  all(): { id: string; folder: string }[] {
    return this.#all.all();
  }

  /** Safe from a power cut when it returns. Throws as a write does. */
  put(id: string, folder: string): void {
    this.#put.run(id, folder);
  }

  drop(id: string): void {
    this.#drop.run(id);
  }
}
