import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KeptContents } from '../../../test/support/kept-contents.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { ContentId } from '../../shared/ids.ts';
import { saveContent } from './save-content.ts';

const { signal } = new AbortController();

it('what is kept is copied whole to a private file; what is gone leaves none, and a full or forbidden place is said', async () => {
  const contents = new KeptContents();
  const bytes = new Uint8Array(2_500_000).map((_, at) => at % 251);
  const ref = await contents.keep(bytes, 'application/pdf');
  const path = join(tempFolder(), 'a.pdf');
  await saveContent(path, ref.id, contents.store, signal);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const none = join(tempFolder(), 'b.pdf');
  await expect(saveContent(none, ContentId.parse('none'), contents.store, signal)).rejects.toMatchObject({ code: 'request/invalid' });
  expect(existsSync(none)).toBe(false);
  await expect(saveContent(join(none, 'c.pdf'), ref.id, contents.store, signal)).rejects.toMatchObject({ code: 'storage/failed' });
});
