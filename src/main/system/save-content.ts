import { open } from 'node:fs/promises';
import type { ContentStore } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import type { ContentId } from '../../shared/ids.ts';

const pieceBytes = 1_048_576;

/** Copies kept content to a place that the person chose, mode 0600, piece by piece. Throws `storage/failed`, and `request/invalid` for content that is gone. */
export async function saveContent(path: string, id: ContentId, contents: Pick<ContentStore, 'read'>, signal: AbortSignal): Promise<void> {
  // What is gone must leave no empty file behind.
  const { total } = await contents.read(id, 0, 0, signal);
  try {
    // The dialog has asked already whether to write over what is there.
    await using file = await open(path, 'w', 0o600);
    for (let at = 0; at < total; ) {
      const { bytes } = await contents.read(id, at, pieceBytes, signal);
      if (bytes.length === 0) throw new AppError('storage/failed', 'The content ended early');
      await file.writeFile(bytes);
      at += bytes.length;
    }
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error;
    throw new AppError('storage/failed', error instanceof Error ? error.message : 'The file could not be written', { cause: error });
  }
}
