import { DamagedContainerError } from '../container/container.ts';
import { openFile } from '../container/readable-file.ts';
import { openContainer } from '../staging/open-container.ts';
import { containerBytes } from '../staging/staged-bytes.ts';

/** A kept package, to be read at any place. Its bytes are verified by `Packages.check` alone. */
export interface PackageAccess {
  readonly sizeBytes: number;
  /** Fewer than asked for only at the end. @throws FailureError `vault-damaged`, `disk-failed` */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Decrypted at a time: the host answers others between. */
const pieceBytes = 1024 * 1024;

/** Its calls throw DamagedContainerError or the system's error. */
export async function openPackageAccess(path: string, sha256: string): Promise<PackageAccess> {
  const container = await openContainer(path, openFile);
  if (container.facts.sha256 !== sha256) {
    await container.file.close();
    throw new DamagedContainerError('another package');
  }
  const bytes = containerBytes(container);
  const read = async (position: number, length: number): Promise<Uint8Array> => {
    if (length <= pieceBytes) return bytes.read(position, length);
    const whole = new Uint8Array(Math.max(0, Math.min(length, bytes.sizeBytes - position)));
    for (let at = 0; at < whole.length; at += pieceBytes)
      whole.set(await bytes.read(position + at, Math.min(pieceBytes, whole.length - at)), at);
    return whole;
  };
  return { sizeBytes: bytes.sizeBytes, read, close: () => bytes.close() };
}
