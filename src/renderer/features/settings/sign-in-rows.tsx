import { useId, useState, type ReactNode } from 'react';
import type { FileSetting, SettingsPatch } from '../../../shared/model/settings.ts';
import { documentProblem } from '../../../shared/text/document-address.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Input, TextArea } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

/** How servers are signed in to that say nothing else in their own options. */
export function SignInGroup() {
  const id = useId();
  const auto = useApp((state) => state.settings.autoAuth) ?? false;
  const message = useApp((state) => state.settings.authRequiredMessage) ?? '';
  const document = useApp((state) => (typeof state.settings.clientMetadataUrl === 'string' ? state.settings.clientMetadataUrl : '')) ?? '';
  const { state, run } = useRequest();
  const save = (patch: SettingsPatch) => run(() => api.settings.update(patch));
  return (
    <SettingGroup title="Signing in" means="To servers over HTTP that want it. A server’s own options win.">
      <SettingRows>
        <SettingRow setting="autoAuth" name="Sign in by itself" htmlFor={`${id}-auto`} meansId={`${id}-auto-means`} means="When a tool that is used needs a sign-in, your browser opens without a press, once. Nothing in the background ever opens it.">
          <Switch id={`${id}-auto`} aria-describedby={`${id}-auto-means`} checked={auto} onChange={(autoAuth) => save({ autoAuth })} />
        </SettingRow>
        <TextRow
          name="What models read" setting="authRequiredMessage" long saved={message} problem={(text) => (text.length > 2_000 ? 'At most 2,000 characters.' : undefined)} placeholder="Gatehouse’s own words"
          means={<>When a server wants a sign-in. <code className="text-code">{'${server}'}</code> stands for its name.</>} onSave={(text) => save({ authRequiredMessage: text === '' ? null : text })}
        />
        <TextRow
          name="Client metadata document" saved={document} problem={(text) => (text === '' ? undefined : documentWords(text))} placeholder="https://…/client-metadata.json"
          means="Where Gatehouse’s description of itself is hosted, for providers that take one in place of a registration. Empty: none is named." onSave={(text) => save({ clientMetadataUrl: text === '' ? null : text })}
        />
      </SettingRows>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </SettingGroup>
  );
}

function documentWords(text: string): string | undefined {
  const problem = documentProblem(text);
  return problem === undefined ? undefined : `It ${problem}.`;
}

/** A text that is saved when one leaves its field. */
function TextRow({ name, setting, means, saved, placeholder, long = false, problem, onSave }: {
  readonly name: string;
  readonly setting?: FileSetting;
  readonly means: ReactNode;
  readonly saved: string;
  readonly placeholder: string;
  readonly long?: boolean;
  readonly problem: (text: string) => string | undefined;
  readonly onSave: (text: string) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const text = (typed ?? saved).trim();
  const wrong = typed === undefined ? undefined : problem(text);
  const keep = () => {
    if (typed === undefined || wrong !== undefined) return;
    if (text !== saved) onSave(text);
    setTyped(undefined);
  };
  const parts = {
    id, 'aria-describedby': `${id}-means`, 'aria-invalid': wrong === undefined ? undefined : true, value: typed ?? saved, placeholder, onBlur: keep,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => setTyped(event.currentTarget.value),
  };
  return (
    <SettingRow name={name} {...(setting === undefined ? {} : { setting })} htmlFor={id} meansId={`${id}-means`} means={wrong === undefined ? means : <span className="text-bad">{wrong}</span>}>
      {long ? (
        <TextArea {...parts} rows={2} className="w-80! compact:w-64!" onKeyDown={(event) => (event.key === 'Escape' ? setTyped(undefined) : undefined)} />
      ) : (
        <Input {...parts} code className="w-80! compact:w-64!" onKeyDown={(event) => (event.key === 'Enter' ? keep() : event.key === 'Escape' ? setTyped(undefined) : undefined)} />
      )}
    </SettingRow>
  );
}
