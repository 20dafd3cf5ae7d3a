export const text = {
  title: 'Library',
} as const;
