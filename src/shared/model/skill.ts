/** A file of a skill, as its server lists it. */
export interface SkillFile {
  readonly uri: string;
  /** In bytes. */
  readonly size: number;
}

/** Instructions that a server has for models, with the files that belong to them (SEP-2640). `uri` is the address of its SKILL.md. */
export interface Skill {
  readonly uri: string;
  /** A label, not an identity: two skills may have the same. */
  readonly name: string;
  readonly description: string;
  /** All of its files, SKILL.md among them, each held against its digest when it is read; `dynamic` where the server makes them up as they are read, and nothing can be. */
  readonly files: readonly SkillFile[] | 'dynamic';
}

/** What a server says of its skills. `warnings` say what was left out and why. */
export interface SkillListing {
  readonly skills: readonly Skill[];
  readonly warnings: readonly string[];
}
