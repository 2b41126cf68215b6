import { FolderOpen } from 'lucide-react';
import { useState, type ClipboardEvent } from 'react';
import { api } from '../../bridge/api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { countText } from '../../ui/time.ts';
import { ArgumentList } from './argument-list.tsx';
import { textRow, valueRow, type Problems, type ServerForm } from './server-form-model.ts';
import { splitCommandLine } from './split-command.ts';

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
  const [before, setBefore] = useState<ServerForm>();
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const replacesAll = value === '' || (selectionStart === 0 && selectionEnd === value.length);
    const line = splitCommandLine(event.clipboardData.getData('text'));
    if (!replacesAll || !line || (line.args.length === 0 && line.env.length === 0)) return;
    event.preventDefault();
    setBefore(form);
    const fresh = line.env.filter(({ name }) => !form.env.some((row) => row.name === name));
    onChange({
      command: line.command,
      args: line.args.map(textRow),
      env: [...form.env, ...fresh.map(({ name, value: given }) => valueRow(name, given))],
    });
  };
  const undo = () => {
    if (before) onChange({ command: before.command, args: before.args, env: before.env });
    setBefore(undefined);
  };
  const chooseFolder = () =>
    void api.shell.chooseFolder().then(
      (folder) => (folder === undefined ? undefined : onChange({ cwd: folder })),
      () => undefined,
    ); // without the dialog it can still be typed
  return (
    <>
      <Field
        label="Command"
        error={problems['command']}
        hint={
          <span role="status">
            {before ? (
              <>
                Split into a command{form.args.length > 0 ? ` and ${countText(form.args.length, 'argument')}` : ''}.{' '}
                <button type="button" onClick={undo} className="rounded-control text-accent underline-offset-2 hover:underline">
                  Undo
                </button>
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
              setBefore(undefined);
              onChange({ command: event.currentTarget.value });
            }}
          />
        )}
      </Field>
      <ArgumentList rows={form.args} onChange={(args) => onChange({ args })} />
      <Field label="Working folder" optional error={problems['cwd']}>
        {(parts) => (
          <div className="flex gap-1.5">
            <Input
              {...parts}
              code
              data-field="cwd"
              placeholder="where Gatehouse was started"
              value={form.cwd}
              onChange={(event) => onChange({ cwd: event.currentTarget.value })}
            />
            <Button icon={<FolderOpen size={14} strokeWidth={1.75} aria-hidden />} onClick={chooseFolder}>
              Choose…
            </Button>
          </div>
        )}
      </Field>
    </>
  );
}

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
