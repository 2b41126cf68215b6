import type { RawOAuth, RawValue } from './raw-entry.ts';

/** The credentials of a sign-in, by their paths below `oauth`. */
export function credentialsOf({ clientSecret, privateKeyJwt, assertion, crossAppAccess }: RawOAuth): readonly (readonly [string, RawValue])[] {
  const all = [
    ['clientSecret', clientSecret],
    ['privateKeyJwt.privateKey', privateKeyJwt?.privateKey],
    ['assertion', assertion],
    ['crossAppAccess.idToken', crossAppAccess?.idToken],
    ['crossAppAccess.clientSecret', crossAppAccess?.clientSecret],
  ] as const;
  return all.flatMap(([path, value]) => (value === undefined ? [] : [[path, value] as const]));
}

/** With what is only worked out when it is used (F-26): credentials, and where a company’s provider is. */
export const lazyValuesOf = (oauth: RawOAuth): readonly (readonly [string, RawValue])[] => {
  const { crossAppAccess } = oauth;
  return [...credentialsOf(oauth), ...(crossAppAccess ? ([['crossAppAccess.idpUrl', crossAppAccess.idpUrl], ['crossAppAccess.clientId', crossAppAccess.clientId]] as const) : [])];
};

/** What others get to see of a sign-in, by its paths below `oauth`: variables are filled in there, and nothing of the vault. */
export function openTextsOf({ clientId, scope, redirectUri, clientName, clientUri, clientMetadataUrl, privateKeyJwt, authorizationParams }: RawOAuth): readonly (readonly [string, string])[] {
  const document = clientMetadataUrl === false ? undefined : clientMetadataUrl;
  const single = Object.entries({ clientId, scope, redirectUri, clientName, clientUri, clientMetadataUrl: document, 'privateKeyJwt.audience': privateKeyJwt?.audience });
  return [
    ...single.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])),
    ...Object.entries(authorizationParams ?? {}).map(([name, text]) => [`authorizationParams.${name}`, text] as const),
  ];
}

/** The same with other values; one that is no text does not go where only text can stand. */
export function withLazyValues(oauth: RawOAuth, change: (value: RawValue, path: string) => RawValue): RawOAuth {
  const { clientSecret, privateKeyJwt, assertion, crossAppAccess } = oauth;
  const text = (value: string, path: string): string => {
    const next = change(value, path);
    return typeof next === 'string' ? next : value;
  };
  return {
    ...oauth,
    ...(clientSecret === undefined ? {} : { clientSecret: change(clientSecret, 'clientSecret') }),
    ...(privateKeyJwt === undefined ? {} : { privateKeyJwt: { ...privateKeyJwt, privateKey: change(privateKeyJwt.privateKey, 'privateKeyJwt.privateKey') } }),
    ...(assertion === undefined ? {} : { assertion: change(assertion, 'assertion') }),
    ...(crossAppAccess === undefined
      ? {}
      : {
          crossAppAccess: {
            idpUrl: text(crossAppAccess.idpUrl, 'crossAppAccess.idpUrl'), clientId: text(crossAppAccess.clientId, 'crossAppAccess.clientId'),
            idToken: change(crossAppAccess.idToken, 'crossAppAccess.idToken'),
            ...(crossAppAccess.clientSecret === undefined ? {} : { clientSecret: change(crossAppAccess.clientSecret, 'crossAppAccess.clientSecret') }),
          },
        }),
  };
}
