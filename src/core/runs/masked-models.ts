import { AppError } from '../../shared/errors.ts';
import type { Models } from '../ports.ts';

/** Providers quote what they were sent, in encodings of their own: their words lose known secrets before anybody reads or keeps them. */
export function maskedModels(models: Models, mask: (text: string) => string): Models {
  const masked = (error: unknown): unknown =>
    error instanceof AppError && mask(error.message) !== error.message ? new AppError(error.code, mask(error.message), { data: error.data, cause: error }) : error;
  return {
    async *step(step, signal) {
      try {
        yield* models.step(step, signal);
      } catch (error) {
        throw masked(error);
      }
    },
    async list(provider, key, signal) {
      try {
        return await models.list(provider, key, signal);
      } catch (error) {
        throw masked(error);
      }
    },
    prepare: (kind) => models.prepare(kind),
    detect: (signal) => models.detect(signal),
  };
}
