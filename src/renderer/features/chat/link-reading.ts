import { createContext } from 'react';
import type { ResultPart } from '../../../shared/model/content.ts';

/** How a link in a result is read: through the server that gave it. Absent where there is no chat that it was given in. */
export const LinkReading = createContext<((link: Extract<ResultPart, { readonly type: 'resource-link' }>) => void) | undefined>(undefined);
