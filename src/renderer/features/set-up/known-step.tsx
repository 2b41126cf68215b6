import { useState } from 'react';
import type { AppState } from '../../../shared/state/app-state.ts';
import type { ServerEdit } from '../../../shared/ipc/contract/config.ts';
import { api } from '../../bridge/api.ts';
import { useApp } from '../../bridge/live.ts';
import { Badge } from '../../ui/badge.tsx';
import { countText } from '../../ui/time.ts';
import { draftOf, isThere, knownServers } from './known-servers.ts';
import { PickRow } from './pick-row.tsx';
import { ProjectFile } from './project-file.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { ChoiceFoot, type StepProps } from './step-foot.tsx';

const noServers: AppState['servers'] = {};

/** Servers that many people use. A static list: none of them is contacted before it is added. */
export function KnownStep({ onNext, onSkip }: StepProps) {
  const servers = useApp((state) => state.servers) ?? noServers;
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [reviewing, setReviewing] = useState(false);
  const [note, setNote] = useState<string>();
  const known = knownServers(navigator.platform);
  const chosen = known.filter((one) => picked.has(one.name) && !isThere(one, servers));
  const edits = chosen.map((one): ServerEdit => ({ op: 'put', draft: draftOf(one) }));
  const pick = (name: string, on: boolean) =>
    setPicked((before) => new Set(on ? [...before, name] : [...before].filter((other) => other !== name)));
  const add = async () => {
    await api.config.save({ scope: 'global', edits });
    setNote(`${countText(edits.length, 'server')} added.`);
    setPicked(new Set());
    setReviewing(false);
  };
  return (
    <>
      <ul aria-label="Known servers" className="divide-y divide-line overflow-hidden rounded-card border border-line bg-card">
        {known.map((one) => (
          <PickRow
            key={one.name}
            name={one.name}
            means={one.means}
            target={one.target}
            there={isThere(one, servers)}
            picked={picked.has(one.name)}
            onPick={(on) => pick(one.name, on)}
          >
            {one.signsIn ? <Badge>Signs in</Badge> : null}
          </PickRow>
        ))}
      </ul>
      <ProjectFile onMade={() => setNote('.mcp.json made.')} />
      <ChoiceFoot chosen={chosen.length} note={note} onReview={() => setReviewing(true)} onNext={onNext} onSkip={onSkip} />
      {reviewing ? (
        <ReviewDialog
          title={`Add ${countText(edits.length, 'server')} to Gatehouse?`}
          label={`Add ${countText(edits.length, 'server')}`}
          look={(signal) => api.config.preview({ scope: 'global', edits }, signal)}
          onAdd={add}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </>
  );
}
