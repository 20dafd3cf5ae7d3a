import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Answering } from './field-options.ts';
import { empty, notEnoughRights } from './field-refusals.ts';
import type { FieldCall } from './field-upload.ts';
import { postForm } from './post-form.ts';

const created = z.object({ id: z.number() });

/**
 * Only `comment[content]` and `comment[parent]` are read: a JSON text in `comment` is no array, and so has no content.
 */
export async function answerComment(
  { target }: Answering,
  { form: { fields }, token }: FieldCall,
  response: ServerResponse,
): Promise<void> {
  const [hash, content, parent] = [fields.get('hash'), fields.get('comment[content]'), fields.get('comment[parent]')];
  if (hash === undefined) return missing(response, 'hash');
  if (!content) return missing(response, 'content');
  if (parent === undefined) return missing(response, 'parent');
  const known = /^[0-9a-f]{32}$/.test(hash) ? hash : '0'.repeat(32);
  const documented = new URLSearchParams({
    hash: known,
    comment: JSON.stringify({ content, parent: parent === '' ? null : parent }),
  });
  const reply = await postForm(
    `${target}/api.php?${new URLSearchParams({ action: 'addcomment', token }).toString()}`,
    documented,
  );
  if (reply.status === 401) return empty(response, 401);
  if (reply.status === 403) return empty(response, 406);
  if (reply.status !== 201) return notEnoughRights(null, response);
  response.writeHead(201, { 'Content-Type': 'text/html; charset=UTF-8' });
  response.end(JSON.stringify({ id: created.parse(JSON.parse(reply.text)).id }));
}

function missing(response: ServerResponse, name: string): void {
  response.writeHead(400, { 'Content-Type': 'text/html; charset=UTF-8' });
  response.end(`missing ${name} parameter`);
}
