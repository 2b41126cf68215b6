import { createSchemaValidator } from '../../../src/node/schema/schema-validator.ts';

/** Judges one value on a thread, and ends by itself because nothing is left to do: the validator is not disposed of on purpose. */
const validator = createSchemaValidator({ worker: new URL(process.argv[2] ?? '') });
const verdict = await validator.check({ type: 'string', pattern: 'a' }, 'a', new AbortController().signal);
process.stdout.write(`${verdict.kind}\n`);
