/**
 * A file system as a browser shows it to a drop, for tests: folders are lists of entries, given a hundred at a time.
 */
const unused = {
  filesystem: {
    name: 'drop',
    get root(): FileSystemDirectoryEntry {
      throw new TypeError('a drop has no root');
    },
  },
  getParent: (): void => {
    throw new TypeError('nobody goes up');
  },
};

export function fileEntry(name: string, file: File | Error = new File([name], name)): FileSystemFileEntry {
  return {
    ...unused,
    name,
    fullPath: `/${name}`,
    isFile: true,
    isDirectory: false,
    file: (give, refuse) =>
      file instanceof File
        ? queueMicrotask(() => give(file))
        : queueMicrotask(() => refuse?.(new DOMException(file.message, file.name))),
  };
}

/** `inside` is called when it is read, so that a folder can hold itself. */
export function folderEntry(name: string, inside: () => readonly FileSystemEntry[]): FileSystemDirectoryEntry {
  return {
    ...unused,
    name,
    fullPath: `/${name}`,
    isFile: false,
    isDirectory: true,
    getFile: unused.getParent,
    getDirectory: unused.getParent,
    createReader: () => {
      let at = 0;
      return {
        readEntries: (give, refuse) => {
          queueMicrotask(() => {
            try {
              const page = inside().slice(at, at + 100);
              at += page.length;
              give([...page]);
            } catch (error) {
              refuse?.(new DOMException(String(error), error instanceof Error ? error.name : 'Error'));
            }
          });
        },
      };
    },
  };
}
