/** English of dropping and picking files, wherever in the page one is. */
export const text = {
  dropTitle: 'Drop to add to the upload',
  dropThen: (workspace: string) => `Files and folders go into the draft of ${workspace}. Nothing is sent until you say so.`,
  halted: 'Not all files were added to the upload',
} as const;
