import { FolderOpen } from 'lucide-react';
import { useState, type ClipboardEvent, type ReactNode } from 'react';
import { api } from '../../bridge/api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { countText } from '../../ui/time.ts';
import { ArgumentList } from './argument-list.tsx';
import { textRow, type Problems, type ServerForm } from './server-form-model.ts';
import { splitCommandLine, type CommandLine } from './split-command.ts';
import { valueRow } from './value-row.ts';

export interface FieldsProps {
  readonly form: ServerForm;
  readonly problems: Problems;
  readonly onChange: (change: Partial<ServerForm>) => void;
}

/** The fields that say where the server is; only those of its transport. */
export function TransportFields(props: FieldsProps & { readonly autoFocus: boolean }) {
  switch (props.form.type) {
    case 'stdio':
      return <CommandFields {...props} />;
    case 'streamable-http':
    case 'sse':
      return <AddressField {...props} />;
    case 'socket':
      return <SocketField {...props} />;
  }
}

function CommandFields({ form, problems, onChange, autoFocus }: FieldsProps & { readonly autoFocus: boolean }) {
  /** What was pasted, and the form before it. */
  const [pasted, setPasted] = useState<{ readonly text: string; readonly before: ServerForm }>();
  const split = (line: CommandLine, text: string) => {
    setPasted({ text, before: form });
    const fresh = line.env.filter(({ name }) => !form.env.some((row) => row.name === name));
    onChange({
      command: line.command,
      args: line.args.map(textRow),
      env: [...form.env, ...fresh.map(({ name, value: given }) => valueRow(name, given))],
    });
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const replacesAll = value === '' || (selectionStart === 0 && selectionEnd === value.length);
    const text = event.clipboardData.getData('text');
    const line = splitCommandLine(text);
    if (!replacesAll || !line || (line.args.length === 0 && line.env.length === 0)) return;
    event.preventDefault();
    split(line, text.trim());
  };
  const keepWhole = () => {
    if (pasted) onChange({ command: pasted.text, args: pasted.before.args, env: pasted.before.env });
    setPasted(undefined);
  };
  // Typed by hand, nothing is split unasked: it may be a path with spaces.
  const typed = !pasted && form.args.length === 0 && /\s/.test(form.command.trim()) ? splitCommandLine(form.command) : undefined;
  return (
    <>
      <Field
        label="Command"
        error={problems['command']}
        hint={
          <span role="status">
            {pasted ? (
              <>
                Split into a command{form.args.length > 0 ? ` and ${countText(form.args.length, 'argument')}` : ''}.{' '}
                <TextButton onClick={keepWhole}>Keep it whole</TextButton>
              </>
            ) : typed && typed.args.length > 0 ? (
              <>
                All of this is the name of one program. <TextButton onClick={() => split(typed, form.command)}>Split it</TextButton>
              </>
            ) : (
              'A program, found as in your terminal. Paste a whole command line and it is split for you.'
            )}
          </span>
        }
      >
        {(parts) => (
          <Input
            {...parts}
            code
            autoFocus={autoFocus}
            data-field="command"
            placeholder="npx"
            value={form.command}
            onPaste={paste}
            onChange={(event) => {
              setPasted(undefined);
              onChange({ command: event.currentTarget.value });
            }}
          />
        )}
      </Field>
      <ArgumentList rows={form.args} onChange={(args) => onChange({ args })} />
      <PathField
        label="Working folder" field="cwd" value={form.cwd} problem={problems['cwd']} placeholder="where Gatehouse was started"
        choose={api.shell.chooseFolder} onChange={(cwd) => onChange({ cwd })}
      />
    </>
  );
}

/** A file of `NAME=value` lines, read at launch. */
export const EnvFileField = ({ form, problems, onChange }: FieldsProps) => (
  <PathField
    label="Variables from a file" field="envFile" value={form.envFile} problem={problems['envFile']} placeholder=".env"
    hint="Lines of NAME=value, read at launch. The variables above win." choose={api.shell.chooseFile} onChange={(envFile) => onChange({ envFile })}
  />
);

const PathField = ({
  label, field, value, problem, placeholder, hint, choose, onChange,
}: {
  readonly label: string;
  readonly field: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly placeholder: string;
  readonly hint?: string;
  readonly choose: () => Promise<string | undefined>;
  readonly onChange: (path: string) => void;
}) => (
  <Field label={label} optional error={problem} hint={hint}>
    {(parts) => (
      <div className="flex gap-1.5">
        <Input {...parts} code data-field={field} placeholder={placeholder} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
        <Button
          icon={<FolderOpen size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() =>
            void choose().then(
              (path) => (path === undefined ? undefined : onChange(path)),
              () => undefined,
            ) // without the dialog it can still be typed
          }
        >
          Choose…<span className="sr-only"> {label.toLowerCase()}</span>
        </Button>
      </div>
    )}
  </Field>
);

const TextButton = ({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) => (
  <button type="button" onClick={onClick} className="rounded-control text-accent underline-offset-2 hover:underline">
    {children}
  </button>
);

const AddressField = ({ form, problems, onChange, autoFocus }: FieldsProps & { readonly autoFocus: boolean }) => (
  <Field
    label="Address"
    error={problems['url']}
    hint={
      form.type === 'sse'
        ? 'For older servers that speak SSE only.'
        : 'Streamable HTTP; a server that answers only with SSE is understood too.'
    }
  >
    {(parts) => (
      <Input
        {...parts}
        code
        autoFocus={autoFocus}
        data-field="url"
        inputMode="url"
        placeholder="https://example.com/mcp"
        value={form.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
    )}
  </Field>
);

const SocketField = ({ form, problems, onChange, autoFocus }: FieldsProps & { readonly autoFocus: boolean }) => (
  <Field
    label="Socket"
    error={problems['path']}
    hint={
      /win/i.test(navigator.platform) && !/mac/i.test(navigator.platform)
        ? 'A named pipe.'
        : 'A Unix socket on this computer that something else keeps open.'
    }
  >
    {(parts) => (
      <Input
        {...parts}
        code
        autoFocus={autoFocus}
        data-field="path"
        placeholder={
          /win/i.test(navigator.platform) && !/mac/i.test(navigator.platform) ? '\\\\.\\pipe\\name' : '/run/user/1000/server.sock'
        }
        value={form.path}
        onChange={(event) => onChange({ path: event.currentTarget.value })}
      />
    )}
  </Field>
);
