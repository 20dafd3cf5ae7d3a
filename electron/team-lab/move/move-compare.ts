import { isDeepStrictEqual } from 'node:util';
import type { StoredPublication, StoredRecord, StoredToken } from '../../lab/stores/metadata-store.ts';
import { storable, storableTag } from '../postgres/pg-database.ts';

/** How a store holds text and times. */
export interface StoredForm {
  text(text: string): string;
  tag(tag: string): string;
  /** Null for what it cannot hold. */
  time(time: string): string | null;
}

const fourDigitYear = /^\d{4}-/;

/**
 * PostgreSQL has no NUL in text, no halves of surrogate pairs and no tags of any length, and keeps the instant of a
 * time but not how it was written.
 */
export const postgresForm: StoredForm = {
  text: storable,
  tag: storableTag,
  time: (time) => {
    const instant = new Date(time);
    if (Number.isNaN(instant.getTime())) return null;
    const written = instant.toISOString().replace('.000Z', 'Z');
    return fourDigitYear.test(written) ? written : null;
  },
};

/** A folder holds what PostgreSQL gives as it is. */
export const folderForm: StoredForm = { text: (text) => text, tag: (tag) => tag, time: (time) => time };

type Comment = StoredRecord['comments'][number];

/** Null where a time is none. */
export function recordIn(form: StoredForm, { sample, comments }: StoredRecord): StoredRecord | null {
  const uploaded = form.time(sample.uploaded);
  const list: Comment[] = [];
  for (const { author, content, created, parent } of comments) {
    const time = form.time(created);
    if (time === null) return null;
    list.push({ author: form.text(author), content: form.text(content), created: time, parent });
  }
  if (uploaded === null) return null;
  return {
    sample: {
      ...sample,
      name: form.text(sample.name),
      mime: sample.mime === null ? null : form.text(sample.mime),
      threat: sample.threat === null ? null : form.text(sample.threat),
      tags: sample.tags.map((tag) => form.tag(tag)),
      uploader: form.text(sample.uploader),
      uploaded,
    },
    comments: list,
  };
}

/** Null where its time is none. */
export function publicationIn(form: StoredForm, publication: StoredPublication): StoredPublication | null {
  const published = form.time(publication.published);
  return published === null ? null : { ...publication, id: form.text(publication.id), published };
}

/** Null where its time is none. */
export function tokenIn(form: StoredForm, token: StoredToken): StoredToken | null {
  const created = form.time(token.created);
  return created === null ? null : { ...token, name: form.text(token.name), created };
}

/** The names of the fields in which two records differ; where their bytes are is no part of a record. */
export function recordDifferences(one: StoredRecord, other: StoredRecord): string[] {
  const { place: _one, hashes: oneHashes, ...oneFacts } = one.sample;
  const { place: _other, hashes: otherHashes, ...otherFacts } = other.sample;
  return differences(
    { ...oneHashes, ...oneFacts, comments: one.comments },
    { ...otherHashes, ...otherFacts, comments: other.comments },
  );
}

export function publicationDifferences(
  { place: _one, ...one }: StoredPublication,
  { place: _other, ...other }: StoredPublication,
): string[] {
  return differences(one, other);
}

/** Its number and last use are its own on either side. */
export function tokenDifferences(one: StoredToken, other: StoredToken): string[] {
  const fields = ({ sha256, name, created, rights }: StoredToken) => ({
    sha256,
    name,
    created,
    rights: rights.toSorted(),
  });
  return differences(fields(one), fields(other));
}

function differences(one: object, other: object): string[] {
  const others = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one)
    .filter(([name, value]) => !isDeepStrictEqual(value, others.get(name)))
    .map(([name]) => name);
}
