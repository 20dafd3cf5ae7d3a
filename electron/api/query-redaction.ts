import type { Redaction } from '../base/redaction.ts';

/** What a text has in common with a query is hidden from this many characters on. */
const shortestHidden = 6;
const replacement = '[secret]';

/**
 * Hides the values in the query of a signed link too, whole, in parts, and percent-encoded or not. Over-eager on
 * purpose: any six characters in a row that a value has are hidden, whatever the server put around them. It compares,
 * and compiles no pattern: a server chooses the query, and makes it as long as it likes.
 */
export function withoutQuery(redaction: Redaction, query: string): Redaction {
  const values = valuesOf(query).toLowerCase();
  if (values.length < shortestHidden) return redaction;
  return {
    text: (value) => hideShared(redaction.text(value), values),
    data: (value) => hideShared(redaction.data(value), values),
    excerpt: (bytes) => hideShared(redaction.excerpt(bytes), values),
  };
}

/** As they were sent, and as they were meant. What has no value may be one itself. */
function valuesOf(query: string): string {
  const sent = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  const meant = [...new URLSearchParams(query)].map(([name, value]) => value || name);
  return [...sent, ...meant].join('\n');
}

function hideShared(text: string, values: string): string {
  let shown = '';
  let hiddenTo = 0;
  for (let index = 0; index < text.length; index += 1) {
    const isShared =
      index + shortestHidden <= text.length && values.includes(text.slice(index, index + shortestHidden).toLowerCase());
    if (isShared && index >= hiddenTo) shown += replacement;
    if (isShared) hiddenTo = index + shortestHidden;
    else if (index >= hiddenTo) shown += text[index] ?? '';
  }
  return shown;
}
