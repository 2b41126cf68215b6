import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/input.tsx';

/** A reason tells the model what to do instead; it is not required. */
export function DenyForm({ busy, onDeny, onCancel }: { readonly busy: boolean; readonly onDeny: (reason: string) => void; readonly onCancel: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <div className="flex flex-col gap-2">
      <Field label="Why not?" hint="The model reads it and can try another way.">
        {(parts) => <TextArea {...parts} autoFocus rows={2} maxLength={2000} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />}
      </Field>
      <div className="flex gap-2">
        <Button look="danger" busy={busy} onClick={() => onDeny(reason.trim())}>Deny</Button>
        <Button look="plain" onClick={onCancel}>Back</Button>
      </div>
    </div>
  );
}
