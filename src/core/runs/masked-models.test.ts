import { expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import type { Models } from '../ports.ts';
import { maskedModels } from './masked-models.ts';

const signal = new AbortController().signal;
const provider = { id: 'p', kind: 'openai', name: 'P', models: [] } as never; // as far as these fakes look at it

it('what a provider says of a failure holds no known secret, in a run and in a list; its code and data stay', async () => {
  const failing = (): never => {
    throw new AppError('model/refused', 'Refused c2VjcmV0', { data: { toolIndex: 1 } });
  };
  const models: Models = {
    async *step() {
      yield { type: 'text', delta: 'so' };
      failing();
    },
    list: async () => failing(),
    prepare: async () => undefined,
    detect: async () => [],
  };
  const masked = maskedModels(models, (text) => text.replaceAll('c2VjcmV0', '•••'));
  const heard: unknown[] = [];
  const reading = (async () => {
    for await (const event of masked.step({ provider, key: undefined, model: 'm', system: '', messages: [], tools: [] }, signal)) heard.push(event);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'model/refused', message: 'Refused •••', data: { toolIndex: 1 } });
  expect(heard).toEqual([{ type: 'text', delta: 'so' }]);
  await expect(masked.list(provider, undefined, signal)).rejects.toMatchObject({ code: 'model/refused', message: 'Refused •••' });
});
