/**
 * A reporter of vitest: keeps the errors that no test caught, which its own JSON report leaves out, beside that report.
 */
import fs from 'node:fs';
import path from 'node:path';

export default class UnhandledErrors {
  #folder = '';
  onInit(vitest) {
    this.#folder = path.join(vitest.config.root, 'out-tests');
  }
  onTestRunEnd(_modules, errors) {
    fs.mkdirSync(this.#folder, { recursive: true });
    fs.writeFileSync(path.join(this.#folder, 'unhandled.json'), JSON.stringify(errors.map(({ stack, message }) => stack ?? message)));
  }
}
