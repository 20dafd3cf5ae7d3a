import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './paths.ts';
import { projects } from './check-types.ts';

/** A small tree with the project's own configuration and the files planted in it; for proving that a check can fail. */
export class PlantedTree implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'vitrine-planted-'));

  constructor(files: Readonly<Record<string, string>>) {
    const configs = projects.map((project) => (project.endsWith('.json') ? project : `${project}/tsconfig.json`));
    for (const config of [...configs, 'build/tsconfig.base.json', 'build/oxlint.json', 'package.json']) {
      mkdirSync(dirname(join(this.path, config)), { recursive: true });
      copyFileSync(join(root, config), join(this.path, config));
    }
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'), 'junction');
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), text);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
