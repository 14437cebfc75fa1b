import { NativeSelect, Switch, Textarea } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { roughTokens } from '#contract/context.ts'
import { MAX_INSTRUCTIONS } from '#contract/instructions.ts'
import { TimeSlot, UNLIMITED } from '#contract/limits.ts'
import * as z from 'zod/mini'
import { DrawerRow, UnitInput } from '#web/admin/drawer/rows.tsx'
import { SlotsField } from '#web/admin/users/slots/SlotStrip.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { type FieldName, FIELDS } from './fields.ts'
import { Origin } from '#web/admin/plans/values/Origin.tsx'
import type { ValueForm } from './valueForm.ts'
import { useValueText } from './valueText.ts'

type FieldRowProps = { form: ValueForm; field: FieldName; /** Of the values of one source. */ source?: string }

/** A value of a plan: its control, whose it is, and the way back. */
export function FieldRow({ form, field, source }: FieldRowProps) {
  const t = useTranslate()
  const valueText = useValueText()
  const name = source === undefined ? field : `${source}.${field}`
  const { changes, inherited, stored } = form
  const own = changes.values[name] ?? null
  const above = inherited(name)
  const value = own ?? above?.value ?? null
  const isChanged = changes.isChanged(name)
  return (
    <DrawerRow
      label={t(`plans.field.${field}`)}
      changed={isChanged}
      below={
        <Origin
          inherited={above === null ? null : { text: valueText(field, above.value), origin: above.origin }}
          own={own === null ? null : form.own(name)}
          change={
            isChanged
              ? { before: valueText(field, stored(name) ?? above?.value ?? null), onUndo: () => changes.undo(name) }
              : undefined
          }
          onInherit={above === null ? undefined : () => changes.change({ [name]: null })}
        >
          {field === 'instructions' && typeof value === 'string' && value !== '' && (
            <span>{t('plans.tokens', { tokens: roughTokens(value) })}</span>
          )}
        </Origin>
      }
    >
      {id => <Control id={id} field={field} value={value} onChange={next => changes.change({ [name]: next })} />}
    </DrawerRow>
  )
}

type ControlProps = { id: string; field: FieldName; value: unknown; onChange(value: unknown): void }

function Control({ id, field, value, onChange }: ControlProps) {
  const t = useTranslate()
  const about = FIELDS[field]
  switch (about.kind) {
    case 'switch': {
      const isOn = 'inverted' in about ? value !== true : value === true
      return (
        <Switch
          id={id}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => onChange('inverted' in about ? !checked : checked)}
        />
      )
    }
    case 'text':
      return (
        <Textarea
          id={id}
          size="xs"
          autosize
          minRows={2}
          maxRows={10}
          maxLength={MAX_INSTRUCTIONS}
          value={typeof value === 'string' ? value : ''}
          onChange={event => onChange(event.currentTarget.value)}
        />
      )
    case 'slots': {
      const slots = z.array(TimeSlot).safeParse(value)
      return <SlotsField id={id} slots={slots.success ? slots.data : []} onChange={onChange} />
    }
    case 'number':
      return (
        <NumberInput
          id={id}
          value={typeof value === 'number' ? value : null}
          about={{
            unit: 'unit' in about ? t(`plans.measure.${about.unit}`) : undefined,
            size: 'size' in about ? about.size : 1,
            empty: about.empty,
          }}
          onChange={onChange}
        />
      )
  }
}

type NumberInputProps = {
  id: string
  value: number | null
  about: { unit: string | undefined; size: number; empty: 'unlimited' | 'portal' | 'never' | null }
  onChange(value: number | null): void
}

/** Blank is what `empty` says: no limit, for ever, or as the settings of the portal have it. */
function NumberInput({ id, value, about: { unit, size, empty }, onChange }: NumberInputProps) {
  const t = useTranslate()
  const shown = value === null || value === UNLIMITED ? '' : String(Math.round(value / size))
  return (
    <UnitInput
      id={id}
      unit={unit}
      placeholder={empty === null ? undefined : t(`plans.empty.${empty}`)}
      value={shown}
      onChange={text => {
        const digits = text.replace(/\D/g, '').slice(0, 9)
        if (digits !== '') onChange(Number(digits) * size)
        else onChange(empty === 'unlimited' || empty === 'never' ? UNLIMITED : empty === 'portal' ? null : 0)
      }}
    />
  )
}

export type ParentOption = { value: string; label: string }

type ParentRowProps = { form: ValueForm; options: readonly ParentOption[] }

/** The plan that this one inherits from. */
export function ParentRow({ form: { changes, stored }, options }: ParentRowProps) {
  const t = useTranslate()
  const isChanged = changes.isChanged('parent_id')
  const nameOf = (id: unknown) => options.find(({ value }) => value === String(id))?.label ?? t('plans.none')
  return (
    <DrawerRow
      label={t('plans.parent')}
      changed={isChanged}
      below={
        isChanged ? (
          <Origin
            inherited={null}
            own={null}
            change={{ before: nameOf(stored('parent_id')), onUndo: () => changes.undo('parent_id') }}
          />
        ) : undefined
      }
    >
      {id => (
        <NativeSelect
          id={id}
          size="xs"
          value={String(changes.values.parent_id)}
          data={[...options]}
          onChange={event => changes.change({ parent_id: Number(event.currentTarget.value) })}
        />
      )}
    </DrawerRow>
  )
}
