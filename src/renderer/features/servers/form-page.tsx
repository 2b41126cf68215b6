import type { ReactNode } from 'react';
import type { ServerDraft } from '../../../shared/model/server-definition.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { api } from '../../bridge/api.ts';
import { go, type Place } from '../../bridge/place.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrollPage } from '../../ui/scroll-page.tsx';
import { SubPageTitle } from '../../ui/sub-page-title.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ServerForm } from './server-form.tsx';

/** Adding a server leads to its page, where one sees it connect. */
export function AddServerPage() {
  const save = async (draft: ServerDraft) => {
    const { serverId } = await api.servers.add(draft);
    go({ page: 'servers', serverId }, 'replace');
  };
  return (
    <FormPage title="Add a server" back={{ page: 'servers' }} focus={false}>
      <ServerForm saveLabel="Add server" onSave={save} onCancel={() => go({ page: 'servers' })} />
    </FormPage>
  );
}

export function EditServerPage({ row }: { readonly row: ServerRow }) {
  const { definition } = row;
  const back: Place = { page: 'servers', serverId: definition.id };
  const save = async (draft: ServerDraft) => {
    const { serverId } = await api.servers.update({ serverId: definition.id, draft });
    go({ page: 'servers', serverId }, 'replace');
  };
  // Another start of the same server is no reason to forget what was typed: the form keeps the definition that it began with.
  return (
    <FormPage
      title={
        <>
          Edit <VisibleText text={definition.name} />
        </>
      }
      back={back}
      focus
    >
      <ServerForm key={definition.id} definition={definition} saveLabel="Save" onSave={save} onCancel={() => go(back)} />
    </FormPage>
  );
}

const FormPage = ({
  title,
  back,
  focus,
  children,
}: {
  readonly title: ReactNode;
  readonly back: Place;
  readonly focus: boolean;
  readonly children: ReactNode;
}) => (
  <>
    <PageHeader
      title={
        <SubPageTitle back="Back" onBack={() => go(back)} focus={focus}>
          {title}
        </SubPageTitle>
      }
    />
    <ScrollPage width="column">{children}</ScrollPage>
  </>
);
