import { z } from 'zod';
import { decodeState } from './coverage-state.ts';
import type { Database } from './database.ts';
import type { Command } from './statement.ts';

const idRow = z.object({ id: z.number() });
const countRow = z.object({ looks: z.number(), rules: z.number() });
const bodyRow = z.object({ body: z.instanceof(Uint8Array) });

const rowsAStep = 500;
/** Earlier forms of the rules are looked through when they are so many times the rules. */
const formsOfEach = 4;
const fewLooks = 1000;

/** Numbers of spaces that a table has rows of: one step in its index for each. */
const spacesIn = (table: string): string => `SELECT id
  FROM (WITH RECURSIVE each(id) AS (SELECT min(space) FROM ${table} UNION ALL
  SELECT (SELECT min(space) FROM ${table} WHERE space > each.id) FROM each WHERE each.id IS NOT NULL)
  SELECT id FROM each WHERE id IS NOT NULL)`;

/** Takes out what the coverage does not need any more. Each step takes some milliseconds. */
export class CoverageSweep {
  readonly #db: Database;
  readonly #gone;
  readonly #ofSpace;
  readonly #empty;
  readonly #spaces;
  readonly #counts;
  readonly #states;
  readonly #body;
  readonly #looks;
  readonly #dropLooks;

  constructor(db: Database) {
    this.#db = db;
    this.#gone = db.query(
      idRow,
      `SELECT id FROM (${['coverage_sample', 'coverage_state', 'coverage_rule'].map(spacesIn).join(' UNION ')})
        WHERE id NOT IN (SELECT id FROM coverage_space)`,
    );
    this.#ofSpace = [
      `DELETE FROM coverage_sample WHERE space = ?1 AND sample_id IN (SELECT sample_id FROM coverage_sample
        WHERE space = ?1 LIMIT ?2)`,
      'DELETE FROM coverage_state WHERE id IN (SELECT id FROM coverage_state WHERE space = ?1 LIMIT ?2)',
      `DELETE FROM coverage_look WHERE id IN (SELECT look.id FROM coverage_rule AS rule JOIN coverage_look AS look
        ON look.rule_id = rule.id WHERE rule.space = ?1 LIMIT ?2)`,
      'DELETE FROM coverage_rule WHERE id IN (SELECT id FROM coverage_rule WHERE space = ?1 LIMIT ?2)',
    ].map((text) => db.command(text));
    this.#empty = db.command(
      'DELETE FROM coverage_state WHERE id IN (SELECT id FROM coverage_state WHERE samples <= 0 LIMIT ?)',
    );
    this.#spaces = db.query(idRow, 'SELECT id FROM coverage_space');
    this.#counts = db.query(
      countRow,
      `SELECT count(look.id) AS looks, count(DISTINCT rule.id) AS rules
        FROM coverage_rule AS rule JOIN coverage_look AS look ON look.rule_id = rule.id WHERE rule.space = ?`,
    );
    this.#states = db.query(idRow, 'SELECT id FROM coverage_state WHERE space = ?');
    this.#body = db.query(bodyRow, 'SELECT body FROM coverage_body WHERE state = ?');
    this.#looks = db.query(
      idRow,
      `SELECT look.id FROM coverage_rule AS rule JOIN coverage_look AS look ON look.rule_id = rule.id
        WHERE rule.space = ? AND look.id > ? ORDER BY look.id LIMIT ?`,
    );
    this.#dropLooks = db.command('DELETE FROM coverage_look WHERE id IN (SELECT value FROM json_each(?))');
  }

  /**
   * `used`: looks that are about to be recorded. One that goes all the same means nothing: its samples are looked at
   * again.
   */
  *inSteps(used: ReadonlySet<number>): Generator<void, void, undefined> {
    for (const { id } of this.#gone.all())
      for (const drop of this.#ofSpace) yield* this.#untilNone(drop, id, rowsAStep);
    yield* this.#untilNone(this.#empty, rowsAStep);
    for (const { id } of this.#spaces.all()) yield* this.#earlierForms(id, used);
  }

  *#untilNone(drop: Command, ...parameters: number[]): Generator<void, void, undefined> {
    while (this.#db.transaction(() => drop.run(...parameters).changes, 'soon') === rowsAStep) yield;
  }

  /** Of rules, that no state of a sample has any more. */
  *#earlierForms(space: number, used: ReadonlySet<number>): Generator<void, void, undefined> {
    const { looks, rules } = this.#counts.get(space) ?? { looks: 0, rules: 0 };
    if (looks <= formsOfEach * rules + fewLooks) return;
    const live = new Set(used);
    for (const { id } of this.#states.all(space)) {
      const state = decodeState(this.#body.get(id)?.body ?? new Uint8Array());
      for (let at = 1; at < state.length; at += 2) live.add(state[at] ?? 0);
      yield;
    }
    for (
      let page = this.#looks.all(space, 0, rowsAStep);
      page.length > 0;
      page = this.#looks.all(space, page.at(-1)?.id ?? 0, rowsAStep)
    ) {
      const dead = page.filter(({ id }) => !live.has(id)).map(({ id }) => id);
      this.#db.transaction(() => this.#dropLooks.run(JSON.stringify(dead)), 'soon');
      yield;
    }
  }
}
