import type { OperationOutput, OperationRequest } from '../../../shared/contract.ts';
import type { JobItem } from '../../../shared/domain/job.ts';
import { partsOf, type RecordChange } from '../../../shared/domain/server-record.ts';
import { fail, FailureError, type FailureOf } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import { createRepositoryApi } from '../../api/repository-api.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { SqliteJobStore } from '../../storage/jobs/job-store.ts';
import type { UploadStore } from '../../storage/uploads/upload-store.ts';
import { isMadeOf } from './upload-confirmation.ts';

export interface UploadRepairsOptions {
  connect: Connect;
  uploads: Pick<UploadStore, 'commentOf'>;
  items: Pick<SqliteJobStore, 'itemsWithFailure' | 'amend'>;
  jobs(): Pick<JobRunner, 'get' | 'itemsChanged'>;
  mayUse(workspaceId: string, action: 'getfile' | 'updatefile'): boolean;
  changeRecord(request: OperationRequest<'servers.changeRecord'>): Promise<OperationOutput<'servers.changeRecord'>>;
}

/** Records that a call repairs at most: each takes three requests, one after the other. */
const repairedACall = 100;

interface Altered {
  item: JobItem;
  failure: FailureOf<'upload-altered'>;
}

/** Puts right what a repository made of comments and tags of an upload (docs/services.md, "uploadfiles"). */
export class UploadRepairs {
  readonly #options: UploadRepairsOptions;

  constructor(options: UploadRepairsOptions) {
    this.#options = options;
  }

  altered({ id }: OperationRequest<'uploads.altered'>): OperationOutput<'uploads.altered'> {
    const { jobs, mayUse } = this.#options;
    const { workspaceId } = jobs().get(id);
    const items = this.#altered(id).length;
    const canRepair =
      items > 0 &&
      workspaceId !== null &&
      (['getfile', 'updatefile'] as const).every((one) => mayUse(workspaceId, one));
    return { items, canRepair };
  }

  /** Ends at the first record that cannot be read or changed, with the reason: the next ones would meet it too. */
  async repair({ id }: OperationRequest<'uploads.repair'>): Promise<OperationOutput<'uploads.repair'>> {
    const { jobs, connect } = this.#options;
    const workspaceId = jobs().get(id).workspaceId ?? fail({ kind: 'job-missing', id });
    const api = createRepositoryApi(await connect(workspaceId, 'repository'));
    let repaired = 0;
    try {
      for (const altered of this.#altered(id).slice(0, repairedACall)) {
        await this.#repair(id, workspaceId, altered, api);
        repaired += 1;
      }
      return { repaired, left: this.#altered(id).length, failure: null };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      return { repaired, left: this.#altered(id).length, failure: error.failure };
    } finally {
      jobs().itemsChanged(id);
    }
  }

  async #repair(
    id: number,
    workspaceId: string,
    { item, failure }: Altered,
    api: ReturnType<typeof createRepositoryApi>,
  ): Promise<void> {
    const md5 = item.md5 ?? fail({ kind: 'job-missing', id });
    const record = await api.getFile(md5);
    const basedOn = partsOf(record);
    const comment = this.#options.uploads.commentOf(id);
    // Comments in a list are not replaced, and no text that others may have written since.
    if (failure.comment && (record.listsComments || !isMadeOf(basedOn.comment, comment)))
      fail({ kind: 'record-changed', service: 'repository', address: api.address });
    const change: RecordChange = {
      ...(failure.comment && { comment }),
      ...(failure.tags.length > 0 && { tags: [...new Set([...basedOn.tags, ...failure.tags])] }),
    };
    const { altered } = await this.#options.changeRecord({ workspaceId, md5, change, basedOn });
    if (altered.length > 0) {
      const left = {
        ...failure,
        comment: altered.includes('comment'),
        tags: altered.includes('tags') ? failure.tags : [],
      };
      this.#options.items.amend(id, item.position, left);
      fail({ ...left, decoding: false });
    }
    this.#options.items.amend(id, item.position, null);
  }

  #altered(id: number): Altered[] {
    return this.#options.items
      .itemsWithFailure(id, 'upload-altered')
      .flatMap((item) => (item.failure?.kind === 'upload-altered' ? [{ item, failure: item.failure }] : []));
  }
}
