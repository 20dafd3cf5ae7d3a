import type { Json, SampleRecord } from '../../../shared/domain/sample.ts';
import type { ValueReader } from './values.ts';

/** Tags as one comma-joined text or as a list. Each once, in the order of its first appearance. */
export const readTags: ValueReader<string[]> = (value) => {
  if (value === null) return null;
  const texts = typeof value === 'string' ? [value] : listOfTexts(value);
  if (texts === undefined) return undefined;
  return [
    ...new Set(
      texts
        .flatMap((text) => text.split(','))
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ];
};

/** URLs as one comma-joined text of `name|url`, as a list of such texts, or as a list of objects. */
export const readUrls: ValueReader<SampleRecord['urls']> = (value) => {
  if (value === null) return null;
  if (typeof value === 'string') return splitUrls(value).map(readNamedUrl);
  if (!Array.isArray(value)) return undefined;
  const read = value.map((item) => (typeof item === 'string' ? readNamedUrl(item) : urlObject(item)));
  const understood = read.filter((item) => item !== undefined);
  return understood.length === read.length ? understood : undefined;
};

function listOfTexts(value: Json): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
  return texts.length === value.length ? texts : undefined;
}

/**
 * A URL may hold commas itself: a part that starts neither with a name and a bar nor as a URL belongs to the one
 * before.
 */
function splitUrls(text: string): string[] {
  const urls: string[] = [];
  for (const part of text.split(',')) {
    if (urls.length === 0 || /^[^|?&=/]*\|/.test(part) || /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(part)) urls.push(part);
    else urls.push(`${urls.pop() ?? ''},${part}`);
  }
  return urls.map((url) => url.trim()).filter((url) => url !== '');
}

function readNamedUrl(text: string): { name: string; url: string } {
  const bar = text.indexOf('|');
  return bar < 0
    ? { name: '', url: text.trim() }
    : { name: text.slice(0, bar).trim(), url: text.slice(bar + 1).trim() };
}

function urlObject(value: Json): { name: string; url: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { name, url, ...others } = value;
  if (typeof url !== 'string' || Object.keys(others).length > 0) return undefined;
  return name === undefined || name === null || typeof name === 'string' ? { name: name ?? '', url } : undefined;
}
