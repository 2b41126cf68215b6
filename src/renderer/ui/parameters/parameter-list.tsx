import { Badge } from '../badge.tsx';
import { LongText } from '../long-text.tsx';
import { VisibleText } from '../visible-text.tsx';
import type { Parameter } from './parameters.ts';

const shownChoices = 12;

/** What a schema asks for, one row each; objects show their fields below them. */
export const ParameterList = ({
  parameters,
  required = 'required',
}: {
  readonly parameters: readonly Parameter[];
  /** What is said of a field that must be there. */ readonly required?: string;
}) => (
  <dl className="flex flex-col">
    {parameters.map((parameter) => (
      <Row key={parameter.name} parameter={parameter} required={required} />
    ))}
  </dl>
);

const Row = ({ parameter, required }: { readonly parameter: Parameter; readonly required: string }) => (
  <div className="border-t border-line py-2 first:border-t-0 first:pt-0 last:pb-0">
    <dt className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <span className="font-code text-code font-semibold break-all text-ink">
        <VisibleText text={parameter.name} />
      </span>
      <span className="text-detail text-ink-2">{parameter.type}</span>
      {parameter.required ? <span className="text-detail font-[550] text-accent">{required}</span> : null}
      {parameter.limits.length > 0 ? (
        <span className="min-w-0 text-detail break-words text-ink-3">
          <VisibleText text={parameter.limits.join(' · ')} />
        </span>
      ) : null}
    </dt>
    <dd className="mt-0.5 min-w-0 text-list text-ink-2">
      {parameter.title || parameter.description ? (
        <LongText code={false} lines={4} characters={400} text={[parameter.title, parameter.description].filter(Boolean).join(': ')} />
      ) : null}
      {parameter.choices.length > 0 ? (
        <span className="mt-1 flex flex-wrap gap-1">
          {parameter.choices.slice(0, shownChoices).map((choice, index) => (
            <Badge key={index} className="max-w-60">
              <span className="truncate font-code">
                <VisibleText text={choice} />
              </span>
            </Badge>
          ))}
          {parameter.choices.length > shownChoices ? (
            <span className="self-center text-detail text-ink-3">and {parameter.choices.length - shownChoices} more</span>
          ) : null}
        </span>
      ) : null}
      {parameter.parts.length > 0 ? (
        <div className="mt-2 border-l border-line-strong pl-3">
          <ParameterList parameters={parameter.parts} required={required} />
        </div>
      ) : null}
    </dd>
  </div>
);
