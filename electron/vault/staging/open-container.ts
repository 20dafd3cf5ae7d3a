import {
  containerOverheadBytes,
  DamagedContainerError,
  headerBytes,
  readFacts,
  trailerBytes,
  type ContainerFacts,
} from '../container/container.ts';
import { fill, type OpenFile, type ReadableFile } from '../container/readable-file.ts';

export interface OpenContainer {
  file: ReadableFile;
  header: Buffer;
  facts: ContainerFacts;
}

/**
 * Opens the container at `path` and reads what it says of its sample; the body is not looked at. @throws
 * DamagedContainerError, or the system's error
 */
export async function openContainer(path: string, open: OpenFile): Promise<OpenContainer> {
  const file = await open(path);
  try {
    return { file, ...(await readEnds(file)) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readEnds(file: ReadableFile): Promise<{ header: Buffer; facts: ContainerFacts }> {
  if (file.sizeBytes < containerOverheadBytes) throw new DamagedContainerError('cut off');
  const header = Buffer.alloc(headerBytes);
  const trailer = Buffer.alloc(trailerBytes);
  await fill(file, header, 0);
  await fill(file, trailer, file.sizeBytes - trailerBytes);
  return { header, facts: readFacts(header, trailer, file.sizeBytes) };
}
