/**
 * Electron takes a file whose name ends in `.asar` for a folder with what is packed in it, and one that is no such
 * archive for nothing at all. A person's file may be either. Here `begin` sees it as the file it is: Electron looks at
 * this switch as a call is made, not when it is answered. In plain Node there is nobody who looks.
 */
export function asPlainFile<T>(begin: () => T): T {
  const before = process.noAsar;
  process.noAsar = true;
  try {
    return begin();
  } finally {
    process.noAsar = before;
  }
}
