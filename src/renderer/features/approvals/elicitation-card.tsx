import type { Elicitation } from '../../../shared/model/elicitation.ts';
import { FormQuestion } from './form-question.tsx';
import { PageQuestion } from './page-question.tsx';

/** What a server asks. It never looks like a question of Gatehouse's own: the server is named in every line that speaks for it. */
export function ElicitationCard({ elicitation }: { readonly elicitation: Elicitation }) {
  const { ask } = elicitation;
  return ask.kind === 'form' ? <FormQuestion elicitation={elicitation} schema={ask.schema} /> : <PageQuestion elicitation={elicitation} page={ask} />;
}
