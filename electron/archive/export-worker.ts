import { parentPort } from 'node:worker_threads';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { assertNever } from '../../shared/failure.ts';
import { PlainExport, ZipExport, type ExportedFile } from './exported-file.ts';
import type { FromExportWorker, ToExportWorker } from './export-messages.ts';
import { standBack } from '../threads/stand-back.ts';

/** Encryption and the disk. After a failure nothing is answered: whoever asked removes what there is. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
standBack();
const answer = (message: FromExportWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

let file: ExportedFile | null = null;
let hasFailed = false;
/** Waiting for the disk, a message must not be overtaken by the next one. */
let earlier: Promise<void> = Promise.resolve();

function opened(): ExportedFile {
  if (file === null) throw new Error('no file is open');
  return file;
}

async function work(message: ToExportWorker): Promise<void> {
  if (hasFailed) return undefined;
  switch (message.kind) {
    case 'file':
      file = message.zip === null ? new PlainExport(message.target) : new ZipExport(message.target, message.zip.protection, message.zip.limits);
      return undefined;
    case 'entry': return opened().begin(message.head);
    case 'bytes':
      opened().write(message.bytes);
      return answer({ kind: 'written', bytes: message.bytes }, [message.bytes.buffer]);
    case 'end-entry': return opened().end();
    case 'drop-entry': return opened().drop();
    case 'finish-file': return answer({ kind: 'finished', sizeBytes: await opened().finish() });
    case 'remove-file':
      await opened().remove();
      return answer({ kind: 'removed' });
    default: return assertNever(message);
  }
}

/** A disk that refuses is told; any other error is a defect and ends the worker, which its owner sees. */
function failed(error: unknown): void {
  const code = systemErrorCode(error);
  if (code === null) throw error;
  hasFailed = true;
  answer({ kind: 'failed', code });
}

port.on('message', (message: ToExportWorker) => {
  earlier = earlier.then(() => work(message)).catch(failed);
});
