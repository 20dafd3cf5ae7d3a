import { OperatorError } from '../../lab/errors.ts';
import type { Terminal } from '../../lab/commands.ts';
import { whileStopped } from '../../lab/host-channel.ts';
import { openFolderToFill, openFolderToRead } from '../../lab/stores/folder/moved-folder.ts';
import { PgAudit } from '../postgres/pg-audit.ts';
import { openTeamStores, type TeamStores } from '../team-stores.ts';
import { folderForm, postgresForm } from './move-compare.ts';
import { type CopiedContainer, ToBucket, ToFolder } from './move-containers.ts';
import { copyLab, type LabMove } from './move-lab.ts';
import { verifyMove } from './move-verify.ts';

export interface MoveTask {
  kind: 'move';
  direction: 'to-team' | 'to-folder';
  /** The lab's folder. */
  directory: string;
  /** Everything is read back and compared afterwards. */
  verifies: boolean;
}

interface TeamAddresses {
  database: string;
  blobs: string;
}

/**
 * Copies a folder's lab into a team's stores, or back into an empty folder. Where it is copied from, nothing is changed
 * but the team's audit trail. Killed or failed, the same command continues it. Fails with OperatorError when something
 * could not be copied or differs, after all else was copied; with LabIsRunning; as the stores do.
 */
export async function moveLab(task: MoveTask, addresses: TeamAddresses, terminal: Terminal): Promise<void> {
  const stores = await openTeamStores(addresses, terminal.report);
  try {
    // Before the first byte: all that a team has may leave by this.
    await record(stores, task, []);
    await (task.direction === 'to-team' ? intoTeam(task, stores, terminal) : intoFolder(task, stores, terminal));
  } finally {
    await stores.close();
  }
}

const record = ({ database }: TeamStores, { direction, directory }: MoveTask, outcome: readonly string[]) =>
  new PgAudit(database).recordCommand('move', [direction, directory, ...outcome]);

async function intoTeam(task: MoveTask, stores: TeamStores, terminal: Terminal): Promise<void> {
  const { directory } = task;
  const folder = await whileStopped(directory, () => openFolderToRead(directory));
  try {
    const containers = new ToBucket({
      client: stores.bucket,
      blobs: stores.blobs,
      containerAt: folder.containerAt,
      report: terminal.report,
    });
    const form = postgresForm;
    await moveAll(task, stores, { source: folder.metadata, target: stores.metadata, containers, form, terminal });
    if (await folder.isChanged())
      terminal.remark('The folder was changed meanwhile, such as by "token add". Run the command again.');
  } finally {
    await folder.close();
  }
}

async function intoFolder(task: MoveTask, stores: TeamStores, terminal: Terminal): Promise<void> {
  const { directory } = task;
  const lab = `${stores.database.label}, ${stores.bucket.shown}`;
  const folder = await whileStopped(directory, () => openFolderToFill(directory, lab));
  try {
    const containers = new ToFolder(stores.bucket, folder);
    const form = folderForm;
    await moveAll(task, stores, { source: stores.metadata, target: folder.metadata, containers, form, terminal });
    await folder.finish();
  } finally {
    await folder.close();
  }
}

async function moveAll<Copied extends CopiedContainer>(
  task: MoveTask,
  stores: TeamStores,
  move: LabMove<Copied>,
): Promise<void> {
  const report = await copyLab(move);
  report.finish();
  await record(stores, task, report.summary);
  const different = task.verifies ? await verifyMove(move) : 0;
  if (report.refused > 0) throw new OperatorError(`${report.refused} were refused; they are listed above.`);
  if (different > 0) throw new OperatorError(`${different} are different; they are listed above.`);
}
