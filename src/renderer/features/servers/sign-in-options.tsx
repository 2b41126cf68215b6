import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { SecretReference } from '../../../shared/model/config-value.ts';
import { placeNow } from '../../bridge/place.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { ChoiceOption, LinesOption, OptionGroup, SelectOptionField, TextOption, type OptionsProps } from './option-controls.tsx';
import type { OptionsForm } from './options-form.ts';
import { KindMenu, ValueControl, type MoveToVault } from './value-control.tsx';
import { isBlank } from './value-row.ts';

type Props = OptionsProps & { readonly secrets: readonly SecretReference[]; readonly onMove: MoveToVault | undefined };

/** How it is signed in to: a token, or OAuth with every detail that a provider may ask for. */
export function SignInOptions(props: Props) {
  const { options, onChange } = props;
  const oauth = options.oauth !== 'never' && options.auth !== 'bearer' && options.auth !== 'never';
  return (
    <OptionGroup name="Sign-in">
      <SelectOptionField<OptionsForm['auth']>
        label="How"
        hint="Usually found out when it first asks for one."
        value={options.auth}
        onChange={(auth) => onChange({ auth })}
        choices={[
          { value: 'usual', label: 'Usual (when it asks)' },
          { value: 'oauth', label: 'OAuth in the browser' },
          { value: 'bearer', label: 'A token' },
          { value: 'never', label: 'Never' },
        ]}
      />
      {options.auth === 'bearer' || options.auth === 'usual' ? (
        <>
          <Credential {...props} field="bearerToken" label="Token" hint="Sent as “Authorization: Bearer …”. A header of that name wins." />
          <TextOption {...props} field="bearerTokenEnv" label="Or the variable that holds it" hint="Read at launch from your environment." placeholder="API_TOKEN" code />
        </>
      ) : null}
      {options.auth === 'bearer' || options.auth === 'never' ? null : (
        <Checkbox checked={options.oauth === 'never'} onChange={(never) => onChange({ oauth: never ? 'never' : 'usual' })} label="Never by OAuth" />
      )}
      {oauth ? <ChoiceOption {...props} field="autoAuth" label="Sign in by itself" usual="no" hint="A use that needs a sign-in opens the browser, once. Nothing does in the background. Without a choice the settings hold." /> : null}
      {oauth ? <OAuthDetails {...props} /> : null}
    </OptionGroup>
  );
}

/** A sign-in that failed leads to these options. */
export const wantsSignInOptions = (): boolean => {
  const place = placeNow();
  return place.page === 'servers' && place.edit === 'sign-in';
};

/** Rarely needed: most providers tell all of it themselves. Open where something is set or chosen. */
function OAuthDetails(props: Props) {
  const { options, problems } = props;
  const wrong = Object.keys(problems).some((field) => Object.hasOwn(options, field));
  const [opened, setOpened] = useState(() => options.auth === 'oauth' || setOAuth(options) || wantsSignInOptions());
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!wantsSignInOptions()) return;
    button.current?.focus({ preventScroll: true });
    button.current?.scrollIntoView({ block: 'start' });
  }, []);
  const open = opened || wrong;
  return (
    <>
      <button ref={button} type="button" aria-expanded={open} onClick={() => setOpened(!open)} className="-ml-1 flex w-fit items-center gap-1 rounded-control px-1 py-0.5 text-list text-ink-2 hover:text-ink">
        <ChevronRight size={14} strokeWidth={1.75} className={`text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden />
        Details of OAuth
      </button>
      {open ? <OAuthOptions {...props} /> : null}
    </>
  );
}
const setOAuth = (options: OptionsForm): boolean =>
  options.grantType !== 'usual' || options.metadata !== 'usual' || options.skipIssuer !== 'usual' || options.jwt || options.xaa || !isBlank(options.clientSecret) || !isBlank(options.assertion) ||
  [options.clientId, options.scope, options.redirectUri, options.clientName, options.clientUri, options.params].some((text) => text !== '');

function OAuthOptions(props: Props) {
  const { options, onChange } = props;
  return (
    <div className="flex flex-col gap-3">
      <SelectOptionField<OptionsForm['grantType']>
        label="Grant"
        hint="As a program or a workload, nobody is asked: a program needs a client id and a secret or key."
        value={options.grantType}
        onChange={(grantType) => onChange({ grantType })}
        choices={[
          { value: 'usual', label: 'Usual (a person signs in)' },
          { value: 'authorization_code', label: 'A person signs in' },
          { value: 'client_credentials', label: 'As a program' },
          { value: 'jwt-bearer', label: 'As a workload (token of its platform)' },
        ]}
      />
      <TextOption {...props} field="clientId" label="Client id" hint="Where the provider knows Gatehouse already. Empty: it registers itself." code />
      <Credential {...props} field="clientSecret" label="Client secret" hint="Only with a client id that has one." />
      {options.grantType === 'jwt-bearer' ? (
        <Credential {...props} field="assertion" label="Token of the platform" hint="A JWT that says which workload this is. It changes: a !command reads it anew each time, such as !cat /var/run/token." />
      ) : null}
      <TextOption {...props} field="scope" label="Scope" hint="Names, separated by spaces. Empty: what the server asks for." placeholder="read write" code />
      <TextOption {...props} field="redirectUri" label="Redirect address" hint="Must be registered with the provider, letter for letter." placeholder="http://127.0.0.1:19876/callback" code />
      <TextOption {...props} field="clientName" label="Client name" hint="What the provider shows when it registers Gatehouse." placeholder="Gatehouse" />
      <TextOption {...props} field="clientUri" label="Client address" hint="The page that it shows with the name." code />
      <SelectOptionField<OptionsForm['metadata']>
        label="Client metadata document"
        hint="How providers that take one come to know Gatehouse."
        value={options.metadata}
        onChange={(metadata) => onChange({ metadata })}
        choices={[{ value: 'usual', label: 'Usual' }, { value: 'own', label: 'One of my own' }, { value: 'never', label: 'Never' }]}
      />
      {options.metadata === 'own' ? <TextOption {...props} field="clientMetadataUrl" label="Its address" hint="An https address that ends in a path." code /> : null}
      <ChoiceOption {...props} field="skipIssuer" label="Skip the issuer check" usual="no" hint="Only for a provider whose metadata names another issuer. Less safe." />
      <LinesOption {...props} field="params" label="More parameters" hint="Sent with the request to sign in, one “name=value” to a line." placeholder="audience=https://api.example.com" />
      <Checkbox checked={options.jwt} onChange={(jwt) => onChange({ jwt })} label="Prove who it is with a private key" />
      {options.jwt ? (
        <div className="flex flex-col gap-3 border-l border-line pl-4">
          <Credential {...props} field="jwtKey" label="Private key" hint="PEM or JWK." />
          <TextOption {...props} field="jwtAlgorithm" label="Algorithm" placeholder="ES256" code />
          <TextOption {...props} field="jwtAudience" label="Audience" hint="Empty: the issuer." code />
          <TextOption {...props} field="jwtLifetime" label="Lifetime" hint="Seconds." placeholder="usual" number />
          <LinesOption {...props} field="jwtClaims" label="More claims" hint="A JSON object." placeholder="{ }" />
        </div>
      ) : null}
      <Checkbox checked={options.xaa} onChange={(xaa) => onChange({ xaa })} label="Through the sign-in of a company (cross-app access)" />
      {options.xaa ? (
        <div className="flex flex-col gap-3 border-l border-line pl-4">
          <TextOption {...props} field="xaaIdpUrl" label="Address of the company’s sign-in" code />
          <TextOption {...props} field="xaaClientId" label="Client id there" code />
          <Credential {...props} field="xaaIdToken" label="Identity token" hint="Exchanged for the server’s own." />
          <Credential {...props} field="xaaClientSecret" label="Client secret there" hint="Only where it has one." />
        </div>
      ) : null}
    </div>
  );
}

type CredentialKey = 'bearerToken' | 'clientSecret' | 'assertion' | 'jwtKey' | 'xaaIdToken' | 'xaaClientSecret';

const credentialPaths: Readonly<Record<CredentialKey, string>> = {
  bearerToken: 'bearerToken', clientSecret: 'oauth.clientSecret', assertion: 'oauth.assertion', jwtKey: 'oauth.privateKeyJwt.privateKey', xaaIdToken: 'oauth.crossAppAccess.idToken',
  xaaClientSecret: 'oauth.crossAppAccess.clientSecret',
};

/** One secret value: typed, bound, or worked out at launch; never in the open. */
function Credential({ options, problems, onChange, secrets, onMove, field, label, hint }: Props & { readonly field: CredentialKey; readonly label: string; readonly hint: string }) {
  const row = options[field];
  const change = (next: typeof row) => onChange({ [field]: next });
  return (
    <Field label={<span className="font-normal text-ink">{label}</span>} hint={hint} error={problems[`value:${row.key}`]}>
      {(parts) => (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1.5" data-field={`value:${row.key}`}>
          <ValueControl
            row={row} called={label.toLowerCase()} forced secrets={secrets} onMove={onMove && (() => onMove(credentialPaths[field]))} onChange={change}
            invalid={{ id: parts.id, 'aria-invalid': parts['aria-invalid'], 'aria-describedby': parts['aria-describedby'] }}
          />
          <KindMenu row={row} called={label} forced onChange={change} />
        </div>
      )}
    </Field>
  );
}
