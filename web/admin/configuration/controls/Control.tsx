import { Switch } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import type { Shape } from '../shape.ts'
import { type ControlProps, describedBy } from './controlProps.ts'
import { Choice } from './Choice.tsx'
import { Chips } from './Chips.tsx'
import { Entries } from './Entries.tsx'
import { IntegerField } from './IntegerField.tsx'
import { MappingEntries } from './MappingEntries.tsx'
import { TextField } from './TextField.tsx'

/** The control that suits what a setting holds. */
export function Control({ shape, ...rest }: ControlProps) {
  switch (shape.kind) {
    case 'boolean':
      return (
        <Switch
          {...describedBy(rest)}
          checked={rest.value === true}
          onChange={event => rest.onChange(event.currentTarget.checked)}
        />
      )
    case 'integer':
      return <IntegerField {...rest} shape={shape} />
    case 'text':
      return <TextField {...rest} shape={shape} />
    case 'choice':
      return <Choice {...rest} shape={shape} />
    case 'mapping':
      return <MappingEntries {...rest} shape={shape} />
    case 'list':
      return shape.item.kind === 'group' ? <Entries {...rest} shape={shape} /> : <Chips {...rest} shape={shape} />
    case 'group':
      throw new Error(`${rest.path}: a group outside of a list has no control`)
  }
}

/** Whether the control needs the whole width of the card. */
export function isWide(shape: Shape): boolean {
  return shape.kind === 'mapping' || (shape.kind === 'list' && shape.item.kind === 'group')
}

/** Whether the control is a group of fields, none of which stands for the whole setting. */
export function isGroup(shape: Shape): boolean {
  return shape.kind === 'mapping' || shape.kind === 'list'
}
