import { Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { DrawerRow } from '../../drawer/rows.tsx'
import type { FieldRow } from './useUserForm.ts'

type SwitchFieldProps = {
  row: FieldRow
  checked: boolean
  onChange(checked: boolean): void
  /** Why it cannot be changed. */
  locked?: string | undefined
  below?: string
}

export function SwitchField({ row: { label, changed }, checked, onChange, locked, below }: SwitchFieldProps) {
  return (
    <DrawerRow label={label} changed={changed} below={locked ?? below}>
      {id => (
        <Switch
          id={id}
          checked={checked}
          disabled={locked !== undefined}
          onChange={event => onChange(event.currentTarget.checked)}
        />
      )}
    </DrawerRow>
  )
}
