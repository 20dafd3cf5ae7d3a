import { FailureError } from '../../shared/failure.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import type { Action, ActionCall } from './action.ts';
import { atMost } from './at-most.ts';
import type { BlobStore } from './blob-store.ts';
import { LabError } from './errors.ts';
import type { MetadataStore } from './metadata-store.ts';
import { readPublishForm } from './publish-form.ts';
import { Publisher } from './publisher.ts';
import { sendJson } from './send-json.ts';
import { whileConnected } from './while-connected.ts';

/** Each holds its files in memory while it waits for its turn. */
const packagesAtOnce = 4;
/** Nobody repairs more at once, and an answer has a size that clients read. */
const brokenAtMost = 5_000;

/**
 * A form with `version`, `group` and files, each named by its path in the package → 201 `{"published": {…}, "broken":
 * []}`; with broken rules nothing is published: 200 `{"published": null, "broken": […]}`, the first 5,000 of them.
 */
export function publish(stores: { metadata: MetadataStore; blobs: BlobStore }): Action {
  const publisher = new Publisher(stores);
  const answer = atMost(packagesAtOnce, `The lab takes ${packagesAtOnce} packages at a time.`, (call: ActionCall) =>
    answerOne(publisher, call),
  );
  return { method: 'POST', right: 'publish', answer };
}

async function answerOne(publisher: Publisher, call: ActionCall): Promise<void> {
  const draft = await readPublishForm(call);
  const outcome = await publisher.publish(draft, whileConnected(call)).catch(refuseOverLimits);
  switch (outcome.kind) {
    case 'published':
      return sendJson(call.response, 201, { published: outcome.publication, broken: [] });
    case 'broken':
      return sendJson(call.response, 200, { published: null, broken: outcome.broken.slice(0, brokenAtMost) });
    case 'version-taken':
      throw new LabError('version-taken', `Version ${draft.version} is already published.`);
  }
}

/** What the rules room does not read, because there is too much of it. */
function refuseOverLimits(error: unknown): never {
  const kind = error instanceof FailureError ? error.failure.kind : null;
  if (error instanceof FailureError && (kind === 'archive-limit' || kind === 'package-too-large'))
    throw new LabError('bad-parameter', `${sentenceFor(error.failure).what}.`);
  throw error;
}
