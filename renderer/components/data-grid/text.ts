/** English of the table. */
export const text = {
  tickAll: 'Select all',
  notLoaded: '…',
} as const;
