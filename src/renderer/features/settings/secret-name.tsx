import type { FieldParts } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';

/** The name of a secret that has one already: all of it is chosen, to be typed over. */
export function SecretName({ parts, value, onValue }: { readonly parts: FieldParts; readonly value: string; readonly onValue: (value: string) => void }) {
  return (
    <Input {...parts} code maxLength={200} value={value} onFocus={(event) => event.currentTarget.select()} onChange={(event) => onValue(event.currentTarget.value)} />
  );
}
