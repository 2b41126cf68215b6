import { AppError } from '../../shared/errors.ts';
import type { EntryId, ToolCallId } from '../../shared/ids.ts';
import type { Attachment } from '../../shared/model/attachment.ts';
import type { ContentRef } from '../../shared/model/content.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import type { TranscriptEntry } from '../../shared/model/transcript-entry.ts';
import { canonicalJson } from '../kernel/hash.ts';
import { answerForModel } from '../guard/model-text.ts';
import { attachmentText } from './attachment-text.ts';
import { kept } from '../guard/text-blocks.ts';
import type { ModelMessage, ModelToolResult } from '../ports.ts';

interface Step {
  text: string;
  replay?: unknown;
  finished: boolean;
  readonly calls: { readonly id: ToolCallId; readonly modelCall: { readonly id: string; readonly name: string; readonly args?: unknown } }[];
}
interface Story {
  readonly asked: ToolCall;
  ran?: ToolCall;
  outcome?: ToolOutcome;
}
type Draft = { readonly kind: 'user'; readonly text: string; readonly attachments: readonly Attachment[] } | { readonly kind: 'step'; readonly step: Step } | { readonly kind: 'direct'; readonly story: Story };

/** Larger images are left to the text. Bytes. */
const imageLimit = 5_242_880;
/** What a server calls an image may be one of another kind; the models port looks at the bytes. SVG is a document, and no model takes it. */
const mayBeSeen = ({ mimeType, bytes }: ContentRef): boolean => !/^image\/svg/i.test(mimeType) && bytes <= imageLimit;

/** A transcript as the messages that a model is sent. Every call has an answer: a call without one is told to be without. */
export async function modelMessages(entries: readonly TranscriptEntry[], readImage: (ref: ContentRef) => Promise<Uint8Array>): Promise<readonly ModelMessage[]> {
  const { drafts, stories } = gather(entries);
  const messages: ModelMessage[] = [];
  for (const draft of drafts) {
    if (draft.kind === 'user') messages.push(await userMessage(draft, readImage));
    else if (draft.kind === 'direct') messages.push({ role: 'user', text: directText(draft.story) });
    else messages.push(...(await stepMessages(draft.step, stories, readImage)));
  }
  return messages;
}

function gather(entries: readonly TranscriptEntry[]): { readonly drafts: readonly Draft[]; readonly stories: ReadonlyMap<ToolCallId, Story> } {
  const drafts: Draft[] = [];
  const steps = new Map<EntryId, Step>();
  const stories = new Map<ToolCallId, Story>();
  for (const entry of entries) {
    if (entry.type === 'user-message') drafts.push({ kind: 'user', text: entry.text, attachments: entry.attachments ?? [] });
    else if (entry.type === 'step-started') {
      const step: Step = { text: '', finished: false, calls: [] };
      steps.set(entry.id, step);
      drafts.push({ kind: 'step', step });
    } else if (entry.type === 'text') {
      const step = steps.get(entry.stepId);
      if (step) step.text += entry.delta;
    } else if (entry.type === 'step-finished') {
      const step = steps.get(entry.stepId);
      if (step) Object.assign(step, { finished: true, replay: entry.replay });
    } else if (entry.type === 'call-requested') {
      const story: Story = { asked: entry.call };
      stories.set(entry.call.id, story);
      if (entry.call.parentId !== undefined) continue;
      if (entry.stepId === undefined) drafts.push({ kind: 'direct', story });
      else if (entry.modelCall) steps.get(entry.stepId)?.calls.push({ id: entry.call.id, modelCall: entry.modelCall });
    } else if (entry.type === 'call-started' || entry.type === 'call-settled') {
      const story = stories.get(entry.callId);
      if (story) Object.assign(story, entry.type === 'call-started' ? { ran: entry.call } : { outcome: entry.outcome });
    }
  }
  return { drafts, stories };
}

async function stepMessages(step: Step, stories: ReadonlyMap<ToolCallId, Story>, readImage: (ref: ContentRef) => Promise<Uint8Array>): Promise<readonly ModelMessage[]> {
  if (step.text === '' && step.calls.length === 0) return [];
  const calls = step.calls.map(({ modelCall }) => ({ id: modelCall.id, name: modelCall.name, args: modelCall.args ?? {} }));
  const replay = step.replay as (ModelMessage & { role: 'assistant' })['replay']; // written by the models port, read back by it alone
  const answer: ModelMessage = { role: 'assistant', text: step.text, calls, ...(replay === undefined || replay === null ? {} : { replay }) };
  if (calls.length === 0) return [answer];
  const results = await Promise.all(step.calls.map(({ id, modelCall }) => resultOf(modelCall, stories.get(id), readImage)));
  return [answer, { role: 'tool', results }];
}

async function resultOf(modelCall: { readonly id: string; readonly name: string }, story: Story | undefined, readImage: (ref: ContentRef) => Promise<Uint8Array>): Promise<ModelToolResult> {
  const head = { callId: modelCall.id, name: modelCall.name };
  if (!story?.outcome) return { ...head, text: 'There is no result: the call did not end.', isError: true, images: [] };
  const answer = answerForModel(story.outcome, story.asked);
  const edited = story.ran && canonicalJson(story.ran.args) !== canonicalJson(story.asked.args) ? `[The person changed the arguments before allowing the call. It ran with: ${JSON.stringify(story.ran.args)}]\n` : '';
  const { images, notes } = await seenImages(answer.images, readImage);
  return { ...head, text: edited + answer.text + notes, isError: answer.isError, images };
}

async function seenImages(refs: readonly ContentRef[], readImage: (ref: ContentRef) => Promise<Uint8Array>): Promise<{ readonly images: ModelToolResult['images']; readonly notes: string }> {
  const seen = await Promise.all(refs.map((ref) => imageOf(ref, readImage)));
  const notes = seen.filter((image) => typeof image === 'string').map((note) => `\n${note}`);
  return { images: seen.filter((image) => typeof image !== 'string'), notes: notes.join('') };
}

async function userMessage({ text, attachments }: Draft & { readonly kind: 'user' }, readImage: (ref: ContentRef) => Promise<Uint8Array>): Promise<ModelMessage> {
  if (attachments.length === 0) return { role: 'user', text };
  const told = await Promise.all(
    attachments.map(async (attachment) => {
      const { text: said, images: refs } = attachmentText(attachment);
      const { images, notes } = await seenImages(refs, readImage);
      return { text: said + notes, images };
    }),
  );
  const images = told.flatMap((one) => one.images);
  return { role: 'user', text: [text, ...told.map((one) => one.text)].filter((part) => part !== '').join('\n\n'), ...(images.length > 0 ? { images } : {}) };
}

/** The image itself, or what is told of it instead (O22). */
async function imageOf(ref: ContentRef, readImage: (ref: ContentRef) => Promise<Uint8Array>): Promise<ModelToolResult['images'][number] | string> {
  if (!mayBeSeen(ref)) return `[Image, ${kept(ref)}: ${ref.bytes > imageLimit ? 'too large' : 'of a kind that is not'} to be looked at]`;
  try {
    return { mimeType: ref.mimeType, bytes: await readImage(ref) };
  } catch (error) {
    // Its time was over, or the disk refuses: a chat goes on without it.
    if (error instanceof AppError && (error.code === 'request/invalid' || error.code === 'storage/failed')) return `[Image, ${ref.mimeType}: no longer kept]`;
    throw error;
  }
}

function directText({ asked, outcome }: Story): string {
  const answer = outcome ? answerForModel(outcome, asked).text : 'no result';
  return `[The person used the tool “${asked.ref.tool}” of “${asked.serverName}” with ${JSON.stringify(asked.args)}. What came back:\n${answer}]`;
}
