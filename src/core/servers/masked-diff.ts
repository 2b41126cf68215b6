import { unifiedDiff } from '../formats/diff.ts';
import { literalsOf } from '../formats/literals.ts';
import { readSource, type SourceShape } from '../formats/read-source.ts';
import { Secret } from '../kernel/secret.ts';
import { Redactor } from '../secrets/redactor.ts';

/** A diff for people: text of either side that looks secret is masked, also in the lines around a change. */
export function maskedDiff(file: string, before: string | undefined, after: string, shape: SourceShape = 'gatehouse'): string {
  const redactor = new Redactor();
  for (const text of [before ?? '', after]) {
    for (const { name, fields } of readSource(text, { file, shape }).entries) {
      for (const { value } of literalsOf(name, fields, 'global')) redactor.register(new Secret(value));
    }
  }
  return unifiedDiff(file, before === undefined ? undefined : redactor.mask(before), redactor.mask(after));
}
