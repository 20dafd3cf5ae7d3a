const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** English of dropping and picking files, wherever in the page one is. */
export const text = {
  dropTitle: 'Drop to add to the upload',
  dropThen: (workspace: string) =>
    `Files and folders are added to the draft of ${workspace}. No file is sent until you press Send.`,
  dropScanTitle: 'Drop to scan',
  dropScanThen: 'Files and folders are added to the scan. Nothing is sent or scanned until you press Scan.',
  halted: 'Not all files were added to the upload',
  haltedScan: 'Not all files were added to the scan',
  refusedTitle: (count: number) => `${files(count)} could not be added`,
  refusedThen: (kept: number, count: number) =>
    kept < count
      ? `The newest ${kept.toLocaleString('en')} are listed. The others are not affected.`
      : 'The others are not affected.',
  listThem: 'Show list',
  hideThem: 'Hide list',
  dismiss: 'Dismiss',
} as const;
