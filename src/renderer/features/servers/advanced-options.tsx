import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { SecretReference } from '../../../shared/model/config-value.ts';
import type { TransportType } from '../../../shared/model/server-definition.ts';
import { ChoiceOption, LinesOption, OptionGroup, SelectOptionField, TextOption, ToolsOption, type OptionsProps } from './option-controls.tsx';
import { emptyOptions, type OptionsForm } from './options-form.ts';
import { SignInOptions, wantsSignInOptions } from './sign-in-options.tsx';
import type { MoveToVault } from './value-control.tsx';
import { isBlank, type ValueRow } from './value-row.ts';

/** What most servers never need: every option, in groups. Opens by itself when something in it is set or wrong, or the way led here. */
export function AdvancedOptions(props: OptionsProps & { readonly type: TransportType; readonly secrets: readonly SecretReference[]; readonly onMove: MoveToVault | undefined }) {
  const { options, problems, type } = props;
  const id = useId();
  const [opened, setOpened] = useState(() => isSet(options) || wantsSignInOptions());
  const wrong = Object.keys(problems).some((field) => Object.hasOwn(options, field) || field.startsWith('value:'));
  const open = opened || wrong;
  const remote = type === 'streamable-http' || type === 'sse';
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
        Advanced
      </button>
      {open ? (
        <div id={id} className="flex flex-col gap-6 border-l border-line pl-4">
          {remote ? <SignInOptions {...props} /> : null}
          <Lifecycles {...props} />
          <Tools {...props} />
          <Limits {...props} usual={remote ? 'newest that both know' : 'classic handshake'} />
          <OptionGroup name="When something goes wrong">
            <ChoiceOption {...props} field="retry" label="Try a broken call once more" usual="no" hint="Trusts the server where it says that a tool only reads, or may run twice." />
            <ChoiceOption {...props} field="debug" label="Debug" usual="no" hint="What the program writes to stderr goes to Gatehouse’s own stderr too." />
            <ChoiceOption {...props} field="trace" label="Trace" usual="no" hint="Keeps a line for each message in a file: when, which kind, how large, how long; never what it says. Without a choice the settings hold." />
          </OptionGroup>
        </div>
      ) : null}
    </div>
  );
}

const isRow = (value: OptionsForm[keyof OptionsForm]): value is ValueRow => typeof value === 'object';
function isSet(options: OptionsForm): boolean {
  const usual = emptyOptions();
  return (Object.keys(usual) as readonly (keyof OptionsForm)[]).some((field) => {
    const value = options[field];
    return isRow(value) ? !isBlank(value) : value !== usual[field];
  }); // the keys of an OptionsForm
}

const Lifecycles = (props: OptionsProps) => (
  <OptionGroup name="Start and end">
    <SelectOptionField<OptionsForm['lifecycle']>
      label="When it runs"
      hint="Keep-alive ones are started again when they end."
      value={props.options.lifecycle}
      onChange={(lifecycle) => props.onChange({ lifecycle })}
      choices={[
        { value: 'usual', label: 'Usual (when it is used)' },
        { value: 'lazy', label: 'When it is used' },
        { value: 'eager', label: 'From the start' },
        { value: 'keep-alive', label: 'From the start, and kept alive' },
        { value: 'lazy-keep-alive', label: 'From its first use on, kept alive' },
      ]}
    />
    <TextOption {...props} field="idleTimeout" label="Sleep after" hint="Minutes without use; 0 for never." placeholder="usual" number />
    <ChoiceOption {...props} field="required" label="Required" usual="no" hint="A run stops when this server cannot be reached." />
  </OptionGroup>
);

const Tools = (props: OptionsProps) => (
  <OptionGroup name="Tools">
    <LinesOption {...props} field="include" label="Only these tools" hint="One name to a line; * and ? stand for anything. Empty: all." placeholder="read_*" />
    <LinesOption {...props} field="exclude" label="Not these tools" hint="Left out even where they are named above." placeholder="delete_*" />
    <ToolsOption
      {...props}
      field="direct"
      names="directNames"
      label="Pinned"
      hint="Pinned tools are given to a model with its question. The others it finds by searching."
      words={{ usual: 'Usual', all: 'All of them', none: 'None', some: 'Those that I name' }}
    />
    <ToolsOption
      {...props}
      field="approve"
      names="approveNames"
      label="Always ask"
      hint="Beside what the approvals of all servers ask for."
      words={{ usual: 'Usual (as for all servers)', all: 'For every tool', none: 'For none because of its name', some: 'For those that I name' }}
    />
    <SelectOptionField<OptionsForm['prefix']>
      label="Names for models"
      hint="What stands before a tool’s own name."
      value={props.options.prefix}
      onChange={(prefix) => props.onChange({ prefix })}
      choices={[
        { value: 'usual', label: 'Usual' },
        { value: 'gatehouse', label: 'Gatehouse’s own form' },
        { value: 'server', label: 'The server’s name' },
        { value: 'short', label: 'The server’s name, shortened' },
        { value: 'mcp', label: 'mcp and the server’s name' },
        { value: 'fusion', label: 'Fusion’s form' },
        { value: 'none', label: 'Nothing' },
      ]}
    />
    <ChoiceOption {...props} field="exposeResources" label="Resources as tools" usual="yes" hint="Lets models read its resources with a tool." />
  </OptionGroup>
);

const Limits = (props: OptionsProps & { readonly usual: string }) => (
  <OptionGroup name="Limits">
    <div className="grid grid-cols-3 gap-3 compact:grid-cols-2">
      <TextOption {...props} field="handshake" label="To connect" placeholder="15" hint="seconds" number />
      <TextOption {...props} field="callIdle" label="Silence in a call" placeholder="60" hint="seconds" number />
      <TextOption {...props} field="callTotal" label="A call in all" placeholder="600" hint="seconds" number />
    </div>
    <TextOption {...props} field="requestTimeout" label="Silence in any request" placeholder="usual" hint="Seconds. “Silence in a call” is more exact and wins." number />
    <SelectOptionField<OptionsForm['protocol']>
      label="Protocol"
      hint="How both sides agree on a version of MCP."
      value={props.options.protocol}
      onChange={(protocol) => props.onChange({ protocol })}
      choices={[
        { value: 'usual', label: `Usual (${props.usual})` },
        { value: 'auto', label: 'Newest that both know' },
        { value: 'legacy', label: 'Classic handshake only' },
      ]}
    />
  </OptionGroup>
);
