/** English of the table. */
export const text = {
  tickAll: 'Select all',
  someTicked: 'Some are selected',
  notLoaded: '…',
} as const;
