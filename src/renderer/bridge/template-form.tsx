import type { ServerId } from '../../shared/ids.ts';
import { expandTemplate, templateVariables } from '../../shared/text/uri-template.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import { ArgumentForm } from './argument-form.tsx';

/** Asks for the variables of a template and gives the address that they make. One that stands in its path is needed. */
export function TemplateForm({ serverId, template, submit, busy, onUri }: {
  readonly serverId: ServerId;
  readonly template: string;
  readonly submit: string;
  readonly busy: boolean;
  readonly onUri: (uri: string) => void;
}) {
  const needed = new Set(templateVariables(template.replace(/\{[?&#;][^{}]*\}/g, '')));
  const args = templateVariables(template).map((name) => ({ name, required: needed.has(name) }));
  return (
    <ArgumentForm
      serverId={serverId} of={{ template }} args={args} submit={submit} busy={busy} onSubmit={(values) => onUri(expandTemplate(template, values))}
      preview={(values) => <p aria-live="polite" className="font-code text-detail break-all text-ink-3"><VisibleText text={expandTemplate(template, values)} /></p>}
    />
  );
}
