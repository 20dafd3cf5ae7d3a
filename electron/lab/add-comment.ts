import { currentInstant } from '../../shared/domain/clock.ts';
import type { Action } from './action.ts';
import { readCommentForm } from './comment-form.ts';
import { LabError } from './errors.ts';
import type { FormLimits } from './form-limits.ts';
import { knownSample } from './known-sample.ts';
import type { MetadataStore } from './metadata-store.ts';
import { givenMd5 } from './request-query.ts';
import { sendJson } from './send-json.ts';

/** `hash` and `comment` → 201 `{"id"}`; an unknown MD5 is 404. */
export function addComment({ metadata }: { metadata: MetadataStore }, limits: FormLimits): Action {
  return {
    method: 'POST',
    right: 'comment',
    answer: async (call) => {
      const { hash, content, parent } = await readCommentForm(call, limits);
      const { hashes } = await knownSample(metadata, givenMd5(hash, 'hash'));
      const id = await metadata.addComment(hashes.sha256, {
        parent,
        content,
        author: call.caller.name,
        created: currentInstant(),
      });
      if (id === null) throw new LabError('bad-parameter', 'The parent is not a comment on this file.');
      sendJson(call.response, 201, { id });
    },
  };
}
