import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerId } from '../../src/shared/ids.ts';

const program = join(import.meta.dirname, '../servers/stdio/skills.mjs');
const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export interface SkillSource {
  readonly folder: string;
  readonly description: string;
  /** By their paths in the folder, beside SKILL.md. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}
/** What a server of test/servers/stdio/skills.mjs says. */
export interface SkillsSaid {
  declares?: boolean;
  pages: SkillSaid[][];
  unlisted?: SkillSaid[];
  files: Record<string, { uri?: string; text?: string; blob?: string; mimeType?: string }[]>;
  resources?: object[];
  templates?: object[];
  broken?: number;
}
export interface SkillSaid {
  uri: string;
  frontmatter: Record<string, unknown>;
  resources: { uri: string; digest: string; size: number }[] | 'dynamic';
}

/** A skill as an honest server lists it, and its files as it answers them. */
export function skill({ folder, description, files = {} }: SkillSource): { readonly entry: SkillSaid; readonly files: SkillsSaid['files'] } {
  const name = folder.split('/').at(-1) ?? '';
  const all: Readonly<Record<string, string | Buffer>> = { 'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nSee references/FORMS.md.\n`, ...files };
  const address = (path: string) => `skill://${folder}/${path}`;
  const listed = Object.entries(all).map(([path, content]) => ({ uri: address(path), digest: digestOf(Buffer.from(content)), size: Buffer.byteLength(content) }));
  const answered = Object.entries(all).map(([path, content]): [string, SkillsSaid['files'][string]] => [address(path), [{ uri: address(path), mimeType: path.endsWith('.md') ? 'text/markdown' : 'application/octet-stream', ...(typeof content === 'string' ? { text: content } : { blob: content.toString('base64') }) }]]);
  return { entry: { uri: address('SKILL.md'), frontmatter: { name, description }, resources: listed }, files: Object.fromEntries(answered) };
}

/** A server with skills, whose words a test changes as it goes. */
export class SkillShelf {
  readonly said: SkillsSaid;
  readonly #file: string;
  readonly #asked: string;

  /** `folder`: of this test, for what the server says and was asked. */
  constructor(folder: string, skills: readonly SkillSource[], more: Partial<SkillsSaid> = {}) {
    this.#file = join(folder, 'said.json');
    this.#asked = join(folder, 'asked.jsonl');
    const made = skills.map(skill);
    this.said = { pages: [made.map(({ entry }) => entry)], files: Object.assign({}, ...made.map(({ files }) => files)), ...more };
    this.save();
  }

  /** What the server says from now on. */
  save(): void {
    writeFileSync(this.#file, JSON.stringify(this.said));
  }

  /** Of the program in test/servers/stdio. */
  get args(): readonly string[] {
    return [this.#file, this.#asked];
  }

  add(test: { addServer(name: string, file: string, args?: readonly string[]): Promise<ServerId> }, name = 'shelf'): Promise<ServerId> {
    return test.addServer(name, program, this.args);
  }

  get asked(): readonly { readonly method: string; readonly params: Record<string, unknown> }[] {
    return existsSync(this.#asked) ? readFileSync(this.#asked, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : [];
  }

  /** The addresses of the files that were read. */
  get read(): readonly unknown[] {
    return this.asked.filter(({ method }) => method === 'resources/read').map(({ params }) => params['uri']);
  }
}
