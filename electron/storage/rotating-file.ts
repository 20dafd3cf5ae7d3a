import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface RotationLimits {
  /** Bytes a file may grow to before the next line begins a new one. */
  fileBytes: number;
  /** Files kept, the current one included. */
  files: number;
}

/** A file of lines that never takes more than its limits: `x`, then `x.1` (newer) to `x.n` (oldest). Mode 0600. */
export class RotatingFile {
  readonly path: string;
  readonly #limits: RotationLimits;
  #file: number | null = null;
  #size = 0;

  constructor(path: string, limits: RotationLimits) {
    this.path = path;
    this.#limits = limits;
  }

  /** Throws the system's error; the next line tries anew. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    let file = this.#file ?? this.#open();
    if (this.#size > 0 && this.#size + bytes.length > this.#limits.fileBytes) file = this.#rotate();
    this.#size += writeSync(file, bytes);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const file = openSync(this.path, 'a', 0o600);
    this.#file = file;
    // A file that was there may have been readable by others.
    fchmodSync(file, 0o600);
    this.#size = fstatSync(file).size;
    return file;
  }

  #rotate(): number {
    this.close();
    const { files } = this.#limits;
    rmSync(this.#older(files - 1), { force: true });
    for (let age = files - 2; age >= 1; age -= 1) renameIfThere(this.#older(age), this.#older(age + 1));
    renameIfThere(this.path, this.#older(1));
    return this.#open();
  }

  #older(age: number): string {
    return `${this.path}.${age}`;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
