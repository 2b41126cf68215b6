import { openOwnerDoor } from '../../src/http/owner-door.ts';
import { BuiltCli, CliPerson } from './cli-program.ts';
import { buildParts, TestApp, type BuiltParts, type TestAppOptions } from './test-app.ts';

export interface BuiltAttached extends AsyncDisposable {
  readonly cli: BuiltCli;
  readonly parts: BuiltParts;
}
export async function buildAttached(): Promise<BuiltAttached> {
  const [cli, parts] = await Promise.all([BuiltCli.build(), buildParts()]);
  return {
    cli, parts,
    async [Symbol.asyncDispose]() {
      await cli[Symbol.asyncDispose]();
      await parts[Symbol.asyncDispose]();
    },
  };
}

/** Somebody whose Gatehouse runs, with the owner door open and their project in it. */
export class AttachedPerson extends CliPerson implements AsyncDisposable {
  readonly app: TestApp;
  readonly #door: AsyncDisposable;
  readonly #passing: boolean;

  private constructor(cli: BuiltCli, app: TestApp, door: AsyncDisposable, person: CliPerson, passing: boolean) {
    super(cli, person);
    this.#passing = passing;
    this.app = app;
    this.#door = door;
  }

  /** In new folders, or in those of somebody, which then stay. */
  static async open({ cli, parts }: BuiltAttached, options: TestAppOptions = {}, someone?: CliPerson): Promise<AttachedPerson> {
    const person = someone ?? new CliPerson(cli);
    const app = await TestApp.open(parts, { home: person.home, person: person.folder, ...options });
    await app.ask('settings.open-project', { folder: person.project });
    const door = await openOwnerDoor({ app: app.app, home: app.home, log: { error: (message, error) => { throw new Error(message, { cause: error }); } } });
    return new AttachedPerson(cli, app, door, person, someone === undefined);
  }

  /** What files say now, without waiting for the watcher. */
  async reload(): Promise<void> {
    const before = this.app.state.configRevision;
    await this.app.ask('settings.close-project', undefined);
    await this.app.ask('settings.open-project', { folder: this.project });
    await this.app.until((state) => state.configRevision > before);
  }

  /** As a person in the window. */
  async trust(): Promise<void> {
    await this.app.until(({ trust }) => trust.phase === 'ask');
    const { trust } = this.app.state;
    if (trust.phase !== 'ask') throw new Error('There is nothing to trust');
    await this.app.ask('projects.trust', { project: trust.question.project, digest: trust.question.digest });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#door[Symbol.asyncDispose]();
    await this.app[Symbol.asyncDispose]();
    if (this.#passing) this[Symbol.dispose]();
  }
}
