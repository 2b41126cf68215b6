import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LIMITS, type NoteHeader } from './note.ts';
import { NoteProblem } from './note-file.ts';
import type { NoteStore } from './note-store.ts';
import { uriOf } from './resources.ts';

const line = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);
const Title = z.string().trim().min(1, 'A title may not be empty.').max(LIMITS.title, `A title has at most ${LIMITS.title} characters.`)
  .refine(line, 'A title is one line.')
  .describe('One line, at most 200 characters');
const Text = z.string().max(LIMITS.textBytes, 'A note holds at most 1 MiB of text.');
const Tag = z.string().trim().min(1, 'A tag may not be empty.').max(LIMITS.tag, `A tag has at most ${LIMITS.tag} characters.`)
  .refine(line, 'A tag is one line.');
const Tags = z.array(Tag).max(LIMITS.tags, `A note has at most ${LIMITS.tags} tags.`);
const Id = z.string().min(1).max(120).describe('The id of the note, as find_notes and list_notes give it');

const Header = z.object({
  id: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  created: z.string().describe('ISO 8601, UTC'),
  updated: z.string().describe('ISO 8601, UTC'),
});
const Found = Header.extend({ excerpt: z.string().describe('A piece of the text, on one line') });

const header = ({ id, title, tags, created, updated }: NoteHeader): z.infer<typeof Header> => (
  { id, title, tags: [...tags], created, updated }
);
const distinct = (tags: readonly string[]): string[] => [...new Set(tags)];
const named = (note: NoteHeader): string => `"${note.title}" (${note.id})`;
const row = (note: NoteHeader & { readonly excerpt: string }): string => {
  const tags = note.tags.length > 0 ? ` [${note.tags.join(', ')}]` : '';
  return `- ${note.title} (${note.id})${tags}${note.excerpt === '' ? '' : `\n  ${note.excerpt}`}`;
};
const count = (n: number): string => (n === 1 ? '1 note' : `${n} notes`);

const answer = (text: string, structuredContent: Record<string, unknown>, links: readonly NoteHeader[] = []): CallToolResult => ({
  content: [
    { type: 'text', text },
    ...links.map(({ id, title }) => ({ type: 'resource_link' as const, uri: uriOf(id), name: title, mimeType: 'text/markdown' })),
  ],
  structuredContent,
});

/** A problem with a note is the tool's own answer; what was not foreseen goes to the log, not to the model. */
async function told(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const foreseen = error instanceof NoteProblem;
    if (!foreseen) process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    const text = foreseen ? error.message : 'Something went wrong inside Notes. Its log says more.';
    return { content: [{ type: 'text', text }], isError: true };
  }
}

const noneFor = (error: unknown): undefined => {
  if (error instanceof NoteProblem) return undefined;
  throw error;
};

function registerReading(server: McpServer, store: NoteStore): void {
  server.registerTool('find_notes', {
    title: 'Find notes',
    description: 'Searches the titles, tags and texts of all notes. Every word of the query must occur, in any order and letter case. '
      + 'Notes with the words in their title come first. To read one note as a whole, give its id as the query.',
    inputSchema: z.object({
      query: z.string().trim().min(1, 'Say what to look for.').max(500).describe('Words to look for, or the id of one note'),
      limit: z.number().int().min(1).max(100).default(10).describe('The most notes to return'),
    }),
    outputSchema: z.object({
      notes: z.array(Found.extend({ text: z.string().optional().describe('The whole text, when the query was the id of this note') })),
      total: z.number().int().describe('How many notes were found in all'),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  }, ({ query, limit }) => told(async () => {
    const whole = await store.read(query).catch(noneFor);
    const found = (await store.find(query)).filter(({ id }) => id !== whole?.id);
    const total = found.length + (whole ? 1 : 0);
    const others = found.slice(0, whole ? limit - 1 : limit).map((note) => ({ ...header(note), excerpt: note.excerpt }));
    const notes = [...(whole ? [{ ...header(whole), excerpt: '', text: whole.text }] : []), ...others];
    const text = [
      total === 0 ? `No note has all these words: ${query}` : `${count(total)} found.`,
      ...(whole ? [`# ${whole.title}\n\n${whole.text}`] : []),
      ...others.map(row),
      ...(total > notes.length ? [`The first ${notes.length} are shown.`] : []),
    ];
    return answer(text.join('\n'), { notes, total }, notes);
  }));

  server.registerTool('list_notes', {
    title: 'List notes',
    description: 'Lists notes, the last changed first, with id, title, tags and the beginning of the text. Ask for more with offset.',
    inputSchema: z.object({
      tag: z.string().trim().min(1).max(LIMITS.tag).optional().describe('Only notes with this tag'),
      limit: z.number().int().min(1).max(500).default(50).describe('The most notes to return'),
      offset: z.number().int().min(0).max(1_000_000).default(0).describe('How many notes to pass over'),
    }),
    outputSchema: z.object({
      notes: z.array(Found),
      total: z.number().int().describe('How many notes there are in all'),
      nextOffset: z.number().int().optional().describe('Where the next notes start; absent at the end'),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  }, ({ tag, limit, offset }) => told(async () => {
    const all = await store.list(tag);
    const notes = all.slice(offset, offset + limit).map((note) => ({ ...header(note), excerpt: note.excerpt }));
    const next = offset + notes.length;
    const nextOffset = notes.length > 0 && next < all.length ? { nextOffset: next } : {};
    const which = tag === undefined ? '' : ` with the tag "${tag}"`;
    const range = notes.length < all.length && notes.length > 0 ? `, ${offset + 1} to ${next} of them here` : '';
    const summary = all.length === 0 ? `No notes${which}.` : `${count(all.length)}${which}${range}.`;
    return answer([summary, ...notes.map(row)].join('\n'), { notes, total: all.length, ...nextOffset });
  }));
}

function registerWriting(server: McpServer, store: NoteStore): void {
  const outputSchema = z.object({ note: Header });

  server.registerTool('add_note', {
    title: 'Add a note',
    description: 'Saves a new note as Markdown. Nothing that exists is changed, even if a note has the same title.',
    inputSchema: z.object({
      title: Title,
      text: Text.describe('The note itself, as Markdown, at most 1 MiB'),
      tags: Tags.optional().describe('Words to find it by later, at most 20'),
    }),
    outputSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  }, ({ title, text, tags }) => told(async () => {
    const note = await store.add({ title, text, tags: distinct(tags ?? []) });
    return answer(`Added ${named(note)}.`, { note: header(note) }, [note]);
  }));

  server.registerTool('edit_note', {
    title: 'Edit a note',
    description: 'Changes one note. What is given replaces what was there: title, text or all tags. '
      + 'To keep the text and add to its end, use append instead of text.',
    inputSchema: z.object({
      id: Id,
      title: Title.optional(),
      text: Text.optional().describe('Replaces the whole text'),
      tags: Tags.optional().describe('Replaces all tags; an empty list removes them'),
      append: Text.optional().describe('Added at the end of the text, on a new line'),
    }),
    outputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  }, ({ id, title, text, tags, append }) => told(async () => {
    if (text !== undefined && append !== undefined) throw new NoteProblem('Give either text, to replace it, or append, to add to it.');
    if (title === undefined && text === undefined && tags === undefined && append === undefined) {
      throw new NoteProblem('Nothing to change: give a title, text, tags or append.');
    }
    const note = await store.edit(id, { title, text, append, tags: tags && distinct(tags) });
    return answer(`Changed ${named(note)}.`, { note: header(note) }, [note]);
  }));

  server.registerTool('delete_note', {
    title: 'Delete a note',
    description: 'Deletes one note for good. It cannot be brought back.',
    inputSchema: z.object({ id: Id }),
    outputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  }, ({ id }) => told(async () => {
    const note = await store.remove(id);
    return answer(`Deleted ${named(note)}.`, { note: header(note) });
  }));
}

export function registerTools(server: McpServer, store: NoteStore): void {
  registerWriting(server, store);
  registerReading(server, store);
}
