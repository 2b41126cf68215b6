import { setTimeout as sleep } from 'node:timers/promises';
import type { Log, ModelEvent, Models, ModelStep } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { answer } from './answer.ts';
import { detectProviders, localServers, type LocalServers } from './detect.ts';
import { languageModel, loadProvider } from './language-model.ts';
import { listModels } from './list-models.ts';
import { modelFailure, type ModelFailure } from './model-failure.ts';
import { sdkMessages } from './prompt.ts';
import { providerAddress } from './provider-address.ts';
import { headerKey, providerFetch } from './provider-fetch.ts';
import { refusesEffort, withoutEffort } from './reasoning-effort.ts';
import { imageWay } from './tool-result.ts';

export interface ModelsDeps {
  readonly log: Log;
  /** The way to providers; those of this machine are looked for with plain `fetch`. */
  readonly fetch?: typeof fetch;
  /** Before the second try; doubled for the third. A provider that says how long to wait is obeyed up to 20 s. */
  readonly firstDelayMs?: number;
  /** Where local model servers are looked for. */
  readonly localServers?: LocalServers;
}

const tries = 3;
const longestWaitMs = 20_000;

/** Model providers over their own protocols, through the AI SDK, one answer at a time. */
export function createModels(deps: ModelsDeps): Models {
  const send = deps.fetch ?? fetch;
  return {
    step: (step, signal) => tried(step, send, deps, signal),
    prepare: (kind) => loadProvider(kind).catch((error: unknown) => deps.log.info('A model provider could not be loaded ahead of its use', { kind, error: String(error) })),
    list: (provider, key, signal) => listModels(provider, key, send, signal),
    detect: (signal) => detectProviders(deps.localServers ?? localServers, fetch, signal),
  };
}

async function* tried(
  step: ModelStep,
  send: typeof fetch,
  deps: ModelsDeps,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { kind } = step.provider;
  const address = providerAddress(step.provider);
  const key = headerKey(step.key?.reveal() ?? '');
  const model = await languageModel({
    provider: step.provider,
    address,
    key,
    model: step.model,
    fetch: providerFetch(send, address, key !== ''),
  });
  let asked = step;
  let images = imageWay(kind, step.model);
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) throw ended();
    let partial = false;
    let failure: ModelFailure;
    let refusesItsEffort = false;
    try {
      for await (const event of answer(asked, model, sdkMessages(step.messages, { kind, model: step.model, images }), signal)) {
        if (signal.aborted) throw ended();
        partial = true;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) throw ended();
      failure = modelFailure(error, { key, tools: step.tools, partial });
      refusesItsEffort = !partial && asked.reasoningEffort !== undefined && refusesEffort(error, failure.error);
    }
    if (refusesItsEffort) {
      deps.log.info('The model takes no reasoning effort, and is asked again without it', { kind, model: step.model });
      asked = withoutEffort(asked);
      continue;
    }
    if (!partial && images !== 'none' && blamesImages(failure.error) && hasImages(step)) {
      images = 'none';
      continue;
    }
    const wait = partial ? undefined : waitBefore(attempt, failure, deps.firstDelayMs ?? 500);
    if (wait === undefined) throw failure.error;
    deps.log.info('Asking the model again', { attempt, code: failure.error.code, waitMs: wait });
    await sleep(wait, undefined, { signal });
  }
}

/** `undefined` when another try is not worth it. */
function waitBefore(attempt: number, { error, retry }: ModelFailure, firstDelayMs: number): number | undefined {
  if (!retry || attempt >= tries) return undefined;
  const asked = retryAfterMs(error);
  if (asked !== undefined) return asked <= longestWaitMs ? asked : undefined;
  return Math.round(firstDelayMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2));
}

function retryAfterMs(error: AppError): number | undefined {
  const { data } = error;
  return typeof data === 'object' && data !== null && 'retryAfterMs' in data && typeof data.retryAfterMs === 'number'
    ? data.retryAfterMs
    : undefined;
}

function hasImages(step: ModelStep): boolean {
  return step.messages.some((message) => message.role === 'tool' ? message.results.some(({ images }) => images.length > 0) : message.role === 'user' && (message.images?.length ?? 0) > 0);
}

/** Models that only read text refuse the whole request; the same without its images is better than no answer. */
function blamesImages(error: AppError): boolean {
  return (error.code === 'model/refused' || error.code === 'model/failed') && /image|vision|multi-?modal|modalit/i.test(error.message);
}

function ended(): DOMException {
  return new DOMException('The model was asked to stop', 'AbortError');
}
