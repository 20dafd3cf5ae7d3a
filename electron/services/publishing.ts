import type { OperationOutput, OperationRequest } from '../../shared/contract.ts';
import type { LabPublication } from '../../shared/domain/lab.ts';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import type { Connect } from '../api/connections.ts';
import { createLabPublisher, type LabPublisher } from '../api/lab-publisher-api.ts';
import type { Staging } from '../vault/staging.ts';

export interface PublishingOptions {
  connect: Connect;
  staging: Staging;
}

/**
 * What a person publishes in the lab of this computer, so that the whole way of a rule can be walked on one computer.
 */
export class Publishing {
  readonly #options: PublishingOptions;

  constructor(options: PublishingOptions) {
    this.#options = options;
  }

  /** Newest first. */
  async list(): Promise<LabPublication[]> {
    return (await this.#publisher()).publications();
  }

  /**
   * The staged files are gone when it was published; with broken rules they stay. @throws FailureError
   * `staged-file-missing`, and as calls do
   */
  async publish({ files, version, group }: OperationRequest<'lab.publish'>): Promise<OperationOutput<'lab.publish'>> {
    const { staging } = this.#options;
    const parts = files.map(({ id, path }) => ({
      path,
      sizeBytes: staging.fileOf(id).sizeBytes,
      open: () => staging.open(id),
    }));
    const result = await (await this.#publisher()).publish(parts, { version, group });
    if (result.published !== null) for (const { id } of files) await staging.discard(id);
    return result;
  }

  async #publisher(): Promise<LabPublisher> {
    return createLabPublisher(await this.#options.connect(labWorkspaceId, 'rule-editor'));
  }
}
