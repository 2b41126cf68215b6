import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { EntryState, SourceRef } from '../../shared/model/source.ts';

interface EntryWords {
  readonly word: string;
  readonly means: string;
  readonly tone: 'plain' | 'ask' | 'bad' | 'accent';
}

/**
 * What became of an entry, in a word or two and a sentence. `disabledBy` is the scope of the file that switched it off; `page` the scope that is looked
 * at, where there is one.
 */
export function entryWords(state: EntryState, { disabledBy, page }: { readonly disabledBy?: ConfigScope | undefined; readonly page?: ConfigScope } = {}): EntryWords {
  switch (state) {
    case 'effective':
      return { word: 'Configured', means: 'It runs as it stands here.', tone: 'plain' };
    case 'inherited':
      return { word: 'Inherited', means: 'It comes from a file that holds for all projects, unchanged.', tone: 'plain' };
    case 'overridden':
      return { word: 'Overridden', means: 'More than one file speaks of it. What runs is what they say together.', tone: 'accent' };
    case 'project-local':
      return { word: 'Project only', means: 'Only this project knows it.', tone: 'accent' };
    case 'disabled':
    case 'masked':
      if (page === 'project' && disabledBy === 'global') return { word: 'Disabled globally', means: 'A file that holds for all projects switched it off.', tone: 'plain' };
      if (state === 'masked') return { word: page === 'project' ? 'Disabled here' : 'Masked', means: 'A file above the one that defines it switched it off.', tone: 'plain' };
      return { word: 'Disabled', means: 'It is switched off where it is defined.', tone: 'plain' };
    case 'untrusted':
      return { word: 'Not trusted', means: 'It stands in a file of the project that waits for your trust. Nothing of it runs.', tone: 'ask' };
    case 'invalid':
      return { word: 'Invalid', means: 'There is a mistake in it, so it is not used.', tone: 'bad' };
  }
}

/** Of a source, as a row names it. */
export const sourceName = (source: Pick<SourceRef, 'kind' | 'label'> | undefined, id: string): string =>
  source === undefined ? id : source.kind === 'built-in' ? 'Gatehouse' : source.label;
