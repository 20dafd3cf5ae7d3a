import { z } from 'zod';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import type { Database } from '../database/database.ts';
import { statedValues } from './stated-values.ts';

const storedRow = z.object({ valueId: z.number(), field: z.string(), value: z.string() });
const idRow = z.object({ id: z.number() });

/** The values by which a sample is found as a whole (`stated-values.ts`): each is stored once for all samples. */
export class SampleValues {
  readonly #stored;
  readonly #known;
  readonly #learn;
  readonly #add;
  readonly #drop;

  constructor(db: Database) {
    this.#stored = db.query(
      storedRow,
      `SELECT value_id AS valueId, field, value FROM sample_value JOIN known_value ON known_value.id = value_id
        WHERE sample_id = ?`,
    );
    this.#known = db.query(idRow, 'SELECT id FROM known_value WHERE field = ? AND value = ?');
    this.#learn = db.command('INSERT INTO known_value (field, value) VALUES (?, ?)');
    this.#add = db.command('INSERT INTO sample_value (value_id, sample_id) VALUES (?, ?)');
    this.#drop = db.command('DELETE FROM sample_value WHERE value_id = ? AND sample_id = ?');
  }

  /** Runs inside the caller's transaction. What stays the same is not written. */
  put(sampleId: number, records: readonly SampleRecord[], givenNames: readonly string[]): void {
    const gone = new Map(
      this.#stored.all(sampleId).map(({ valueId, field, value }) => [JSON.stringify([field, value]), valueId]),
    );
    for (const [field, value] of statedValues(records, givenNames)) {
      if (gone.delete(JSON.stringify([field, value]))) continue;
      const id = this.#known.get(field, value)?.id ?? this.#learn.run(field, value).rowId;
      this.#add.run(id, sampleId);
    }
    for (const valueId of gone.values()) this.#drop.run(valueId, sampleId);
  }
}
