import { describe, expect, it } from 'vitest';
import { skill } from '../../../test/support/skill-shelf.ts';
import { loadYaml } from '../formats/document.ts';
import { fileAddress } from './file-address.ts';
import { parseSkill, skillLimits, type SkillEntry } from './skill-entry.ts';
import { verifySkillFile } from './verify-skill.ts';

const yaml = await loadYaml();
const pdf = skill({ folder: 'pdf', description: 'Fill PDF forms', files: { 'a/FORMS.md': 'Fields\n' } });
const main = 'skill://pdf/SKILL.md';
function parsed(item: unknown): SkillEntry {
  const entry = parseSkill(item);
  if ('why' in entry) throw new Error(entry.why);
  return entry;
}
const why = (item: unknown): unknown => {
  const entry = parseSkill(item);
  return 'why' in entry ? entry.why : 'taken';
};
/** A dynamic skill, so that its frontmatter alone counts. */
const judged = (frontmatter: Record<string, unknown>, text: string) => () =>
  verifySkillFile([parsed({ uri: main, frontmatter: { name: 'pdf', description: 'Fill', ...frontmatter }, resources: 'dynamic' })], main, [{ uri: main, text }], yaml);
const refused = (said: RegExp) => expect.objectContaining({ code: 'skill/not-verified', message: expect.stringMatching(said) });
const thrownBy = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return 'nothing';
};

describe('an entry of a skill', () => {
  const file = { uri: main, digest: `sha256:${'0'.repeat(64)}`, size: 1 };
  const entry = (more: object) => ({ uri: main, frontmatter: { name: 'pdf', description: 'd' }, resources: [file], ...more });
  it.each<readonly [string, unknown, RegExp]>([
    ['nothing', undefined, /not described/],
    ['an address that is no SKILL.md', entry({ uri: 'skill://pdf/README.md' }), /does not end with/],
    ['another name than its folder', entry({ frontmatter: { name: 'other', description: 'd' } }), /folder/],
    ['no description', entry({ frontmatter: { name: 'pdf' } }), /name and description/],
    ['no files', entry({ resources: undefined }), /digest and size/],
    ['an empty list of files', entry({ resources: [] }), /SKILL.md is not among/],
    ['a digest of another kind', entry({ resources: [{ ...file, digest: 'md5:00' }] }), /digest and size/],
    ['no size', entry({ resources: [{ uri: main, digest: file.digest }] }), /digest and size/],
    ['a file twice, spelled differently', entry({ resources: [file, { ...file, uri: 'skill://pdf/x/../SKILL.md' }] }), /twice/],
    ['a file beside its folder', entry({ resources: [file, { ...file, uri: 'skill://pdf-other/a.md' }] }), /outside/],
    ['a file above its folder', entry({ resources: [file, { ...file, uri: 'skill://pdf/..%2Fa.md' }] }), /outside/],
    ['too many files', entry({ resources: Array.from({ length: skillLimits.files + 1 }, () => file) }), /more than 512/],
    ['too large files', entry({ resources: [{ ...file, size: skillLimits.bytes + 1 }] }), /16 MiB/],
  ])('with %s is left out, and why is said', (_what, item, said) => {
    expect(why(item)).toMatch(said);
  });

  it('as large as every host must take it is taken', () => {
    const files = [file, ...Array.from({ length: skillLimits.files - 1 }, (_, at) => ({ ...file, uri: `skill://pdf/${at}.md`, size: at === 0 ? skillLimits.bytes - skillLimits.files + 1 : 1 }))];
    expect(parsed(entry({ resources: files })).files).toHaveProperty('size', 512);
  });

  it('has another revision when one of its files has another digest', () => {
    const other = parsed(entry({ resources: [{ ...file, digest: `sha256:${'1'.repeat(64)}` }] }));
    expect(other.revision).not.toBe(parsed(entry({})).revision);
  });
});

describe('a file of a skill', () => {
  it('is the same in any spelling of its address', () => {
    for (const spelled of ['skill://pdf/./SKILL.md', 'skill://pdf/a/../SKILL.md', 'SKILL://PDF/%53KILL.md', 'skill://pdf/SKILL.md#part']) expect(fileAddress(spelled)).toBe(main);
    expect(fileAddress('no address %')).toBe('no address %');
  });

  it('passes with the bytes that were listed, as text or in base64', () => {
    const [{ text = '' } = {}] = pdf.files[main] ?? [];
    for (const content of [{ text }, { uri: main, blob: Buffer.from(text).toString('base64') }]) expect(thrownBy(() => verifySkillFile([parsed(pdf.entry)], main, [content], yaml))).toBe('nothing');
    expect(thrownBy(() => verifySkillFile([parsed(pdf.entry)], main, [{ blob: '*' }], yaml))).toEqual(refused(/bytes/));
  });

  it('is held against every skill that lists it, an enclosing one as well', () => {
    const inner = skill({ folder: 'pdf/inner', description: 'Within' });
    const address = 'skill://pdf/inner/SKILL.md';
    const listedBy = (digest: string) => parsed({ ...pdf.entry, resources: [...(pdf.entry.resources === 'dynamic' ? [] : pdf.entry.resources), { ...(inner.entry.resources[0] as object), digest }] });
    const right = inner.entry.resources === 'dynamic' ? '' : (inner.entry.resources[0]?.digest ?? '');
    const check = (outer: SkillEntry) => thrownBy(() => verifySkillFile([outer, parsed(inner.entry)], address, inner.files[address] ?? [], yaml));
    expect(check(listedBy(right))).toBe('nothing');
    expect(check(listedBy(`sha256:${'0'.repeat(64)}`))).toEqual(refused(/digest/));
  });

  it('of no skill passes as it is', () => {
    expect(thrownBy(() => verifySkillFile([parsed(pdf.entry)], 'skill://other/SKILL.md', [{ text: 'a' }, { text: 'b' }], yaml))).toBe('nothing');
  });
});

describe('the frontmatter of a SKILL.md', () => {
  it('is compared field by field, whatever their order and however they are written', () => {
    const said = { license: 'MIT', metadata: { version: '2.1', tags: ['a', 'b'] }, strict: true, empty: null };
    expect(thrownBy(judged(said, '\uFEFF---\r\nmetadata:\r\n  tags: [a, "b"]\r\n  version: "2.1"\r\ndescription: Fill\r\nname: pdf\r\nlicense: MIT\r\nstrict: true\r\nempty:\r\n---\r\nBody'))).toBe('nothing');
  });

  it.each<readonly [string, string, RegExp]>([
    ['a field more', '---\nname: pdf\ndescription: Fill\nallowed-tools: Bash\n---\n', /allowed-tools/],
    ['a field less', '---\nname: pdf\n---\n', /description/],
    ['another value', '---\nname: pdf\ndescription: Fill all\n---\n', /description/],
    ['a value of another type', '---\nname: pdf\ndescription: [Fill]\n---\n', /description/],
    ['a field twice', '---\nname: pdf\ndescription: Steal\ndescription: Fill\n---\n', /frontmatter/],
    ['no end', '---\nname: pdf\ndescription: Fill\n', /frontmatter/],
    ['none', '# pdf', /frontmatter/],
    ['YAML that is none', '---\nname: [pdf\n---\n', /frontmatter/],
    ['aliases that unfold without end', `---\nname: pdf\ndescription: Fill\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n---\n`, /frontmatter/],
    ['__proto__', '---\nname: pdf\ndescription: Fill\n__proto__: {a: 1}\n---\n', /__proto__/],
  ])('with %s is refused', (_what, text, said) => {
    expect(thrownBy(judged({}, text))).toEqual(refused(said));
  });
});
