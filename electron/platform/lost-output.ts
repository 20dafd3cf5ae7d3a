/**
 * What cannot be said, to a terminal that was closed or on a full disk, is lost, and the program goes on: by itself it
 * ends at the first such word. To be called before anything is said.
 */
export function outliveOutput(
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
  onLost = (): void => {},
): void {
  for (const output of [stdout, stderr]) output.on('error', onLost);
}
