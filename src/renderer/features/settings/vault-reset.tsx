import { useState } from 'react';
import type { VaultStatus } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from './form-dialog.tsx';

const words = 'forget all values';

/** The way out when the vault's key is lost for good. Nothing while it is only locked, or there is no keyring. */
export function VaultReset({ status }: { readonly status: Extract<VaultStatus, { readonly phase: 'unavailable' }> }) {
  const [asking, setAsking] = useState(false);
  if (status.why !== 'key-missing' && status.why !== 'damaged') return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-card px-4 py-3">
      <p className="min-w-0 flex-1 basis-72 text-list text-ink-2">
        <span className="font-[550] text-ink">Lost for good?</span> Start the vault with a new key: the names of your secrets and who may
        read them stay, and you enter their values again.
      </p>
      <Button look="danger" onClick={() => setAsking(true)}>
        Start it anew…
      </Button>
      {asking ? <ResetDialog onClose={() => setAsking(false)} /> : null}
    </div>
  );
}

function ResetDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const { state, run } = useRequest();
  const sure = text.trim().toLowerCase() === words;
  const reset = () => {
    if (!sure) return;
    run(async () => {
      await api.secrets.resetVault({ confirm: words });
      onClose();
    });
  };
  return (
    <FormDialog
      title="Start the vault anew?"
      action="Forget all values"
      look="danger"
      disabled={!sure}
      state={state}
      onSave={reset}
      onClose={onClose}
    >
      <p className="text-list text-ink-2">
        Every value in the vault is given up, the keys of your models too. The old file is kept beside the new one, in case its key turns
        up. Servers that need a secret ask for it again.
      </p>
      <Field label={<>Type “{words}”</>}>
        {(parts) => <Input {...parts} value={text} onChange={(event) => setText(event.currentTarget.value)} />}
      </Field>
    </FormDialog>
  );
}
