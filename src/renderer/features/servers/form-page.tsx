import { useState, type ReactNode } from 'react';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import type { ServerDraft } from '../../../shared/model/server-definition.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { api } from '../../bridge/api.ts';
import { useApp } from '../../bridge/live.ts';
import { go, type Place } from '../../bridge/place.ts';
import { fieldsOf, ownedSource } from '../../bridge/server-form-view.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrollPage } from '../../ui/scroll-page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SubPageTitle } from '../../ui/sub-page-title.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ServerForm } from './server-form.tsx';

/** Adding a server leads to its page, where one sees it connect. With a project open, it may be that project's own. */
export function AddServerPage() {
  const project = useApp((state) => state.settings.project);
  const trusted = useApp((state) => state.trust.phase === 'trusted' || state.trust.phase === 'not-needed') ?? false;
  const [chosen, setScope] = useState<ConfigScope>('global');
  const scope = project === undefined ? 'global' : chosen;
  const save = async (draft: ServerDraft) => {
    const { serverId } = await api.servers.add({ ...draft, scope });
    go({ page: 'servers', serverId }, 'replace');
  };
  return (
    <FormPage title="Add a server" back={{ page: 'servers' }} focus={false}>
      <ServerForm
        saveLabel="Add server"
        note={
          project === undefined || !trusted ? undefined : (
            <div className="flex flex-col gap-1.5">
              <span className="text-list font-[550] text-ink">Where is it used?</span>
              <Segmented<ConfigScope>
                name="Where is it used?"
                value={scope}
                onChange={setScope}
                options={[{ value: 'global', label: 'Everywhere' }, { value: 'project', label: 'In this project' }]}
              />
            </div>
          )
        }
        onSave={save} onCancel={() => go({ page: 'servers' })} />
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
  const written = ownedSource(definition.owner === 'project' ? 'project' : 'global');
  const own = fieldsOf(row.provenance, written);
  const foreign = !row.provenance.chain.some(({ source }) => source === written);
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
      <ServerForm key={definition.id} definition={definition} own={own} saveLabel="Save" nameFixed={foreign}
        note={foreign ? <p className="text-list text-ink-2">It stands in a file that Gatehouse only reads. What you save is written to your own file, over it.</p> : undefined}
        onSave={save} onCancel={() => go(back)} />
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
