/** English of what a look-up leads to. */
export const text = {
  searchAt: (workspace: string) => `Search at ${workspace}`,
  lookUpAt: (workspace: string) => `Look up at ${workspace}`,
  searchLibrary: 'Search the library',
  upload: 'Upload…',
  itsMd5: 'MD5 of the same sample',
  lookUp: 'Look up',
  notAnMd5: 'An MD5 has 32 hexadecimal digits.',
} as const;
