import { AppError } from '../../shared/errors.ts';
import type { ConfigScope, SecretKey, SecretReference } from '../../shared/model/config-value.ts';
import type { ImportPlan, Pick } from '../../shared/model/exchange.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import { ServerName } from '../../shared/model/server-definition.ts';
import { SecretId } from '../../shared/ids.ts';
import type { FileEdit } from '../formats/edit-source.ts';
import type { RawFields } from '../formats/raw-entry.ts';
import { Secret } from '../kernel/secret.ts';
import { fileFields, type FoundServer } from './found-server.ts';
import { keyOf, namesOf, needsOwnScope, plainTextsOf, withReferences, type PlainText } from './plain-text.ts';
import type { TakenNames } from './taken-names.ts';

export type PlanRow = ImportPlan['rows'][number];
export interface SecretToCreate {
  readonly key: SecretKey;
  readonly value: Secret;
}
/** What taking servers over means: nothing is written and nothing is stored yet. */
export interface Plan {
  readonly rows: readonly PlanRow[];
  readonly edits: readonly FileEdit[];
  readonly secrets: readonly SecretToCreate[];
  readonly issues: readonly ConfigIssue[];
}
export interface PlanFacts {
  readonly scope: ConfigScope;
  readonly taken: TakenNames;
  /** Names of the scope's secrets, and those that its files name. */
  readonly secretKeys: ReadonlySet<string>;
  /** Of the file that will change, for issues. */
  readonly file: string;
}

export interface Chosen {
  readonly pick: Pick;
  readonly found: FoundServer;
}

/** One for the preview and for the real thing. Throws `secret/exists` for a chosen name that is taken, and `request/invalid` for a choice that cannot be. */
export function planOf(chosen: readonly Chosen[], facts: PlanFacts): Plan {
  const planning = new Planning(facts);
  for (const one of chosen) planning.add(one);
  return planning.plan();
}

interface Step {
  readonly row: PlanRow;
  readonly edits: readonly FileEdit[];
  readonly secrets: readonly SecretToCreate[];
  readonly issues: readonly ConfigIssue[];
}

class Planning {
  readonly #facts: PlanFacts;
  readonly #keys: Set<string>;
  /** By the name in small letters: two sources may have servers of one name. */
  readonly #steps = new Map<string, Step>();
  readonly #left: Step[] = [];

  constructor(facts: PlanFacts) {
    this.#facts = facts;
    this.#keys = new Set(facts.secretKeys);
  }

  plan(): Plan {
    const steps = [...this.#left, ...this.#steps.values()];
    return {
      rows: steps.map(({ row }) => row),
      edits: steps.flatMap(({ edits }) => edits),
      secrets: steps.flatMap(({ secrets }) => secrets),
      issues: steps.flatMap(({ issues }) => issues),
    };
  }

  add({ pick, found }: Chosen): void {
    const wanted = pick.as ?? ServerName.parse(found.entry.name);
    const taken = this.#facts.taken.find(wanted);
    const planned = this.#steps.get(wanted.toLowerCase());
    if (!taken && !planned) return this.#take(found, pick, wanted, 'add');
    switch (pick.onDuplicate) {
      case 'refuse':
        return this.#leave(pick, taken?.name ?? wanted, 'refuse');
      case 'skip':
        return this.#leave(pick, taken?.name ?? wanted, 'skip');
      case 'rename':
        return this.#take(found, pick, this.#freeName(wanted), 'rename');
      case 'replace':
        // What comes with the app cannot be replaced.
        if (taken?.builtIn) return this.#leave(pick, taken.name, 'refuse');
        if (planned) this.#drop(planned, wanted);
        return this.#take(found, pick, taken?.name ?? wanted, taken ? 'replace' : 'add');
    }
  }

  #leave({ source, name }: Pick, as: string, action: 'refuse' | 'skip'): void {
    this.#left.push({ row: { source, name, as, action, secretsToCreate: [] }, edits: [], secrets: [], issues: [] });
  }

  #drop({ row, secrets }: Step, name: string): void {
    this.#steps.delete(name.toLowerCase());
    for (const { key } of secrets) this.#keys.delete(key);
    this.#left.push({ row: { ...row, action: 'skip', secretsToCreate: [] }, edits: [], secrets: [], issues: [] });
  }

  #take(found: FoundServer, pick: Pick, as: string, action: 'add' | 'rename' | 'replace'): void {
    const { entry, inputs, commands, folder } = found;
    const { scope } = this.#facts;
    // Under its new name: that is what its secrets are called after.
    const plains = plainTextsOf(as, entry.fields, { scope, inputs, commands });
    refuseUnknown(pick, plains);
    const secrets: SecretToCreate[] = [];
    const issues: ConfigIssue[] = [];
    const say = (issue: Warning) => void issues.push({ ...issue, severity: 'warning', file: this.#facts.file, server: as, path: `mcpServers.${as}` });
    const references = new Map(plains.map((plain) => [plain, this.#reference(plain, pick, entry.fields, secrets, say)]));
    const fields = withReferences(entry.fields, plains, (plain) => references.get(plain) ?? 'plain');
    issues.push(...this.#commandIssues(fields, as));
    this.#steps.set(as.toLowerCase(), {
      row: { source: pick.source, name: pick.name, as, action, secretsToCreate: secrets.map(({ key }) => key) },
      edits: [{ op: 'put', name: as, fields: fileFields(fields, folder) }],
      secrets,
      issues,
    });
  }

  /** What stands in its place; the value, if there is one, goes to the secrets that are to be created. */
  #reference(plain: PlainText, pick: Pick, fields: RawFields, secrets: SecretToCreate[], say: (issue: Warning) => void): SecretReference | 'plain' {
    const choice = namesOf(plain).map((name) => (Object.hasOwn(pick.secrets, name) ? pick.secrets[name] : undefined)).find((one) => one !== undefined);
    const { scope } = this.#facts;
    if (choice && 'plain' in choice) {
      if (plain.kind === 'text' && !plain.looksSecret) return 'plain';
      throw refused(plain, pick, 'looks like a secret, so its value is kept in the vault');
    }
    if (choice && 'use' in choice) {
      if (choice.scope !== scope && needsOwnScope(plain, fields)) {
        throw refused(plain, pick, 'can only name a secret of its own scope');
      }
      return { secretRef: choice.use, scope: choice.scope };
    }
    if (plain.kind === 'input') {
      const key = choice?.create ?? plain.suggestedKey;
      if (!this.#keys.has(key)) {
        say({ code: 'missing-secret', message: `The other program asks for ${plain.id}; the secret ${key} has no value yet` });
      }
      return { secretRef: key, scope };
    }
    if (choice && this.#keys.has(choice.create)) throw new AppError('secret/exists', `There is a secret ${choice.create} already`, { data: { key: choice.create, scope } });
    const key = choice?.create ?? this.#freeKey(keyOf(plain));
    this.#keys.add(key);
    secrets.push({ key, value: new Secret(plain.literal.value) });
    const { field } = plain.literal;
    if (field === 'args' || field === 'command') {
      say({
        code: 'plaintext-secret',
        message: `A secret stands in the command line, where every program can read it. It is kept in the vault as ${key}, and the server will not start ` +
          'until it gets it in another way, such as an environment variable',
      });
    }
    return { secretRef: key, scope };
  }

  /** F-26: these would run at launch; the person should know before. */
  #commandIssues({ env, headers, bearerToken }: RawFields, as: string): readonly ConfigIssue[] {
    const values = [
      ...Object.entries(env ?? {}).map(([key, value]) => [`env.${key}`, value] as const),
      ...Object.entries(headers ?? {}).map(([key, value]) => [`headers.${key}`, value] as const),
      ['bearerToken', bearerToken] as const,
    ];
    return values.flatMap(([path, value]): readonly ConfigIssue[] => {
      if (typeof value !== 'string' || !value.startsWith('!') || value.startsWith('!!')) return [];
      const message = `${path} runs a command at launch: ${value.slice(1).trim().slice(0, 200)}`;
      return [{ code: 'invalid-option', severity: 'warning', file: this.#facts.file, path: `mcpServers.${as}.${path}`, server: as, message }];
    });
  }

  #freeName(wanted: string): string {
    for (let count = 2; ; count += 1) {
      const suffix = `-${count}`;
      const name = `${wanted.slice(0, 100 - suffix.length)}${suffix}`;
      if (!this.#facts.taken.find(name) && !this.#steps.has(name.toLowerCase())) return name;
    }
  }

  #freeKey(wanted: SecretKey): SecretKey {
    if (!this.#keys.has(wanted)) return wanted;
    for (let count = 2; ; count += 1) {
      const key = SecretId.parse(`${wanted.slice(0, 190)}_${count}`);
      if (!this.#keys.has(key)) return key;
    }
  }
}

interface Warning {
  readonly code: ConfigIssue['code'];
  readonly message: string;
}

function refused(plain: PlainText, { name }: Pick, why: string): AppError {
  const [field = ''] = namesOf(plain);
  return new AppError('request/invalid', `“${field}” of “${name}” ${why}`, { data: { name, field } });
}

/** A choice for something that is not there would be lost in silence. */
function refuseUnknown({ name, secrets }: Pick, plains: readonly PlainText[]): void {
  const known = new Set(plains.flatMap(namesOf));
  const unknown = Object.keys(secrets).find((choice) => !known.has(choice));
  if (unknown !== undefined) throw new AppError('request/invalid', `“${name}” has no plain text at ${unknown}`, { data: { name, field: unknown } });
}
