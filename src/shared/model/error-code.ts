import * as z from 'zod';
import { errorKinds, type ErrorCode as Code } from '../errors.ts';

// Apart from the errors themselves: what must be there before anything else (the shell's first module) needs them, and no schema library.
export const ErrorCode = z.enum(Object.keys(errorKinds) as [Code, ...Code[]]); // the keys of a const object
