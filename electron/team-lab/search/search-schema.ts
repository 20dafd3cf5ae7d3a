import { wordFunction, wordsOf } from './pg-words.ts';

/** Characters of a text by which it is sorted and listed: an entry of a B-tree has at most 2,704 bytes. */
export const keyCharacters = 500;

/** Expressions over `sample` that indexes have: a query must name them as they are here. */
export const sampleKeys = {
  name: `left(lower(name COLLATE "C"), ${keyCharacters})`,
  mime: `left(mime COLLATE "C", ${keyCharacters})`,
  uploader: `left(uploader COLLATE "C", ${keyCharacters})`,
} as const;
export const lowerName = 'lower(name COLLATE "C")';
export const lowerThreat = 'lower(threat COLLATE "C")';

/** What a tag sets as a TLP, from the least strict on; `tlp:white` is an older name of the first. */
export const tlpTags = [
  ['tlp:clear', 'tlp:white'],
  ['tlp:green'],
  ['tlp:amber'],
  ['tlp:amber+strict'],
  ['tlp:red'],
] as const;

/**
 * The step of the schema by which samples are found.
 *
 * - Columns that PostgreSQL computes: no writer can forget them, and COPY fills them too.
 * - `sample.words` has the words of name, threat and tags under a weight each, with a sign between them that no query
 *   has, so that no phrase runs from one into the next; `tag_text` is `,a,b,` without TLPs.
 * - `hit_rule` has each rule that ever hit: a part of a rule's name is looked for there, and not in every hit.
 * - pg_trgm is a trusted extension: the owner of a database may create it. It may be in any schema of the database, so
 *   its operator class is named with that.
 */
export const searchSchema = `
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  ${wordFunction}
  CREATE FUNCTION lab_tag_text(tags text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $body$
  BEGIN
    RETURN (SELECT ',' || coalesce(string_agg(tag, ',' ORDER BY place) || ',', '')
      FROM unnest(tags) WITH ORDINALITY AS each (tag, place)
      WHERE tag NOT IN (${tlpTags
        .flat()
        .map((tag) => `'${tag}'`)
        .join(', ')}));
  END $body$;
  ALTER TABLE sample
    ADD COLUMN words tsvector NOT NULL GENERATED ALWAYS AS (setweight(lab_words(ARRAY[name]), '${wordsOf.name}')
      || $$'|':1$$::tsvector || setweight(lab_words(ARRAY[threat]), '${wordsOf.threat}')
      || $$'|':1$$::tsvector || setweight(lab_words(tags), '${wordsOf.tags}')) STORED,
    ADD COLUMN tag_text text NOT NULL GENERATED ALWAYS AS (lab_tag_text(tags)) STORED;
  ALTER TABLE comment ADD COLUMN words tsvector NOT NULL GENERATED ALWAYS AS (lab_words(ARRAY[content])) STORED;
  CREATE INDEX sample_newest ON sample (uploaded DESC, id DESC);
  CREATE INDEX sample_by_size ON sample (size, id);
  CREATE INDEX sample_by_name ON sample ((${sampleKeys.name}), id);
  CREATE INDEX sample_by_sha1 ON sample (sha1);
  CREATE INDEX sample_by_mime ON sample ((${sampleKeys.mime}));
  CREATE INDEX sample_by_uploader ON sample ((${sampleKeys.uploader}));
  CREATE INDEX sample_by_tag ON sample USING gin (tags);
  CREATE INDEX sample_by_word ON sample USING gin (words);
  CREATE INDEX comment_by_word ON comment USING gin (words);
  DO $body$
  DECLARE
    class text := (SELECT format('%I.gin_trgm_ops', nspname) FROM pg_extension
      JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm');
  BEGIN
    EXECUTE 'CREATE INDEX sample_name_part ON sample USING gin ((${lowerName}) ' || class || ')';
    EXECUTE 'CREATE INDEX sample_threat_part ON sample USING gin ((${lowerThreat}) ' || class || ')';
    EXECUTE 'CREATE INDEX sample_tag_part ON sample USING gin (tag_text ' || class || ')';
  END $body$;
  CREATE INDEX hit_by_rule ON hit (rule COLLATE "C", sample_id);
  CREATE TABLE hit_rule (rule text PRIMARY KEY);
  INSERT INTO hit_rule SELECT DISTINCT rule FROM hit;
  CREATE FUNCTION lab_learn_rules() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO hit_rule SELECT DISTINCT rule FROM added ORDER BY rule ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER hit_rule_of_added AFTER INSERT ON hit REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION lab_learn_rules();`;
