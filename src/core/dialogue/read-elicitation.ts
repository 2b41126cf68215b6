import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ElicitationAsk } from '../../shared/model/elicitation.ts';
import { externalUrl } from '../../shared/text/external-url.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { formSchema, UnusableForm } from './form-schema.ts';

const longestMessage = 8_000;
/** Characters of JSON: all of it is state, in every window. */
const largestForm = 200_000;
const Message = z.string().max(longestMessage);
const Form = z.object({ mode: z.literal('form').optional(), message: Message, requestedSchema: z.unknown() });
const Page = z.object({ mode: z.literal('url'), message: Message, url: z.string(), elicitationId: z.string().min(1).max(500).optional() });

/** What a server asks, as far as it can be put to a person. */
export interface ReadElicitation {
  readonly message: string;
  readonly ask: ElicitationAsk;
  /** By which the server will say that the page's business is over; only in the old era. */
  readonly serversId?: string;
}

/**
 * The parameters of `elicitation/create`, or one of the entries of a −32042 error (`retry`). `mask` takes our secrets out of what is shown. Throws `request/invalid` for what
 * MCP does not allow or may not be opened: another scheme than https (http on this machine), a user name in the address, one of our own secrets in it.
 */
export function readElicitation(params: unknown, { mask, retry }: { readonly mask: (text: string) => string; readonly retry: boolean }): ReadElicitation {
  const isPage = typeof params === 'object' && params !== null && 'mode' in params && params.mode === 'url';
  if (!isPage) {
    const { message, requestedSchema } = parsed(Form, params);
    return { message: visibleText(mask(message)), ask: { kind: 'form', schema: readForm(requestedSchema, mask) } };
  }
  const { message, url, elicitationId } = parsed(Page, params);
  const address = externalUrl(url);
  if (address === undefined || mask(address) !== address) throw refused('The address may not be opened: it has to be https, or http on this machine, with no user name and no secret in it');
  return {
    message: visibleText(mask(message)),
    ask: { kind: 'url', url: address, host: new URL(address).host, phase: 'asked', retry },
    ...(elicitationId === undefined ? {} : { serversId: elicitationId }),
  };
}

function readForm(requested: unknown, mask: (text: string) => string): JsonObject {
  try {
    const schema = formSchema(requested);
    const text = JSON.stringify(schema);
    if (text.length > largestForm) throw refused('The form is too large');
    if (mask(text) !== text) throw refused('A secret of ours is in the form');
    return schema;
  } catch (error) {
    if (error instanceof UnusableForm) throw refused(error.message);
    throw error;
  }
}

const refused = (why: string): AppError => new AppError('request/invalid', `The question cannot be put to a person. ${why}`);

function parsed<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const found = schema.safeParse(value);
  if (!found.success) throw refused(found.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ').slice(0, 300));
  return found.data;
}
