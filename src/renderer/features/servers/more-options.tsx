import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import type { ServerForm } from './server-form-model.ts';
import type { FieldsProps } from './transport-fields.tsx';

const limits = [
  { field: 'handshake', label: 'To connect', usual: '15' },
  { field: 'callIdle', label: 'Silence in a call', usual: '60' },
  { field: 'callTotal', label: 'A call in all', usual: '600' },
] as const;

/** What most servers never need. Opens by itself when something in it is set or wrong. */
export function MoreOptions({ form, problems, onChange }: FieldsProps) {
  const id = useId();
  const isSet = form.protocol !== 'default' || limits.some(({ field }) => form[field] !== '' || problems[field] !== undefined);
  const [opened, setOpened] = useState(isSet);
  const open = opened || limits.some(({ field }) => problems[field] !== undefined);
  const usual = form.type === 'streamable-http' || form.type === 'sse' ? 'newest that both know' : 'classic handshake';
  return (
    <div className="flex flex-col gap-4">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpened(!open)}
        className="-ml-1 flex w-fit items-center gap-1 rounded-control px-1 py-0.5 text-list text-ink-2 hover:text-ink"
      >
        <ChevronRight size={14} strokeWidth={1.75} className={`text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden />
        More options
      </button>
      {open ? (
        <div id={id} className="flex flex-col gap-4 border-l border-line pl-4">
          <Field label="Protocol" hint="How both sides agree on a version of MCP.">
            {(parts) => (
              <Select<ServerForm['protocol']>
                {...parts}
                className="w-72 max-w-full"
                value={form.protocol}
                onChange={(protocol) => onChange({ protocol })}
                options={[
                  { value: 'default', label: `Usual (${usual})` },
                  { value: 'auto', label: 'Newest that both know' },
                  { value: 'legacy', label: 'Classic handshake only' },
                ]}
              />
            )}
          </Field>
          <fieldset>
            <legend className="mb-2 text-list font-[550] text-ink">
              Longest wait <span className="font-normal text-detail text-ink-3">in seconds</span>
            </legend>
            <div className="grid grid-cols-3 gap-3">
              {limits.map(({ field, label, usual: placeholder }) => (
                <Field key={field} label={<span className="font-normal text-ink-2">{label}</span>} error={problems[field]}>
                  {(parts) => (
                    <Input
                      {...parts}
                      inputMode="decimal"
                      placeholder={placeholder}
                      value={form[field]}
                      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
                    />
                  )}
                </Field>
              ))}
            </div>
          </fieldset>
        </div>
      ) : null}
    </div>
  );
}
