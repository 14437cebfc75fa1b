import { Switch, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { IconLock, IconPlus, IconX } from '#web/kit/icons.ts'
import type { Shape, Field } from '../settings/shape.ts'
import { storedTime, writtenTime } from '../settings/units.ts'
import { useSettingTexts } from '../settings/useSettingTexts.ts'
import { type ControlProps, describedBy, groupedBy } from './controlProps.ts'
import { Chips } from './Chips.tsx'
import { IntegerField, IntegerInput } from './IntegerField.tsx'
import { MappingEntries } from './MappingEntries.tsx'
import styles from './controls.module.css'

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

/** A value that cannot be changed here: text instead of a control, so that it takes no focus. */
export function LockedValue({ value }: { value: string }) {
  return (
    <div className={`${styles.field} ${styles.locked}`}>
      <IconLock size={14} aria-hidden />
      <span>{value}</span>
    </div>
  )
}

/** The total width up to which options are shown side by side, in Latin letters; a Han character counts as two. */
const SHORT = 24

/** One of a few: beside each other when they are short, else a list. */
function Choice({ path, shape, value, invalid, onChange }: ControlProps<Extract<Shape, { kind: 'choice' }>>) {
  const texts = useSettingTexts()
  const options = shape.options.map(option => ({ value: option, label: texts.partName(path, option) }))
  if (options.reduce((sum, { label }) => sum + widthOf(label), 0) <= SHORT)
    return (
      <SegmentedControl
        {...groupedBy(path)}
        role="radiogroup"
        data={options}
        value={String(value)}
        onChange={onChange}
      />
    )
  return (
    <span className={`${styles.field} ${styles.choice}`}>
      <select
        {...describedBy({ path, invalid })}
        value={String(value)}
        onChange={event => onChange(event.currentTarget.value)}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}

function widthOf(text: string): number {
  return text.length + (text.match(/\p{sc=Han}/gu)?.length ?? 0)
}

/** A text. Blank means missing, where the setting allows that. */
function TextField({ path, shape, value, invalid, onChange }: ControlProps<Extract<Shape, { kind: 'text' }>>) {
  const t = useTranslate()
  return (
    <span className={styles.field}>
      <input
        {...describedBy({ path, invalid })}
        value={typeof value === 'string' ? value : ''}
        placeholder={shape.nullable ? t('settings.notSet') : undefined}
        inputMode={shape.format === 'address' ? 'url' : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget: { value: text } }) => onChange(shape.nullable && text.trim() === '' ? null : text)}
      />
    </span>
  )
}

type Part = Record<string, unknown>

/** A list whose entries have several parts, such as the span and the number of a rate limit. */
function Entries({ path, shape, value, onChange }: ControlProps<Extract<Shape, { kind: 'list' }>>) {
  const t = useTranslate()
  const fields = shape.item.kind === 'group' ? shape.item.fields : []
  const entries: Part[] = Array.isArray(value) ? value : []
  return (
    <div className={styles.entries} {...groupedBy(path)}>
      {entries.map((entry, at) => (
        // Entries have no other identity than their position.
        // eslint-disable-next-line react/no-array-index-key
        <div key={at} className={`${styles.entry} ${fields.length > 2 ? styles.fourParts : ''}`}>
          {fields.map(field => (
            <PartField
              key={field.name}
              path={path}
              field={field}
              value={entry[field.name]}
              onChange={part => onChange(entries.with(at, { ...entry, [field.name]: part }))}
            />
          ))}
          <SmallIconButton
            className={styles.remove}
            label={t('settings.remove', { item: t('settings.row', { at: at + 1 }) })}
            onClick={() => onChange(entries.toSpliced(at, 1))}
          >
            <IconX size={16} aria-hidden />
          </SmallIconButton>
        </div>
      ))}
      <button type="button" className={styles.add} onClick={() => onChange([...entries, blank(fields)])}>
        <IconPlus size={14} aria-hidden />
        {t('settings.add')}
      </button>
    </div>
  )
}

type PartFieldProps = { path: string; field: Field; value: unknown; onChange(value: unknown): void }

function PartField({ path, field: { name, shape }, value, onChange }: PartFieldProps) {
  const { partName } = useSettingTexts()
  return (
    <label>
      <span className={styles.label}>{partName(path, name)}</span>
      <span className={styles.field}>
        {shape.kind === 'integer' ? (
          <IntegerInput name={partName(path, name)} shape={shape} value={value} onChange={onChange} />
        ) : shape.kind === 'text' && shape.format === 'time' ? (
          <TimeInput value={value} onChange={onChange} />
        ) : (
          <input
            value={typeof value === 'string' ? value : ''}
            spellCheck={false}
            autoComplete="off"
            onChange={event => onChange(event.currentTarget.value)}
          />
        )}
      </span>
    </label>
  )
}

/** A time as people write it. The typed text stays as long as it means the value. */
function TimeInput({ value, onChange }: { value: unknown; onChange(value: unknown): void }) {
  const [last, setLast] = useState({ text: '', value: undefined as unknown })
  return (
    <input
      className={styles.number}
      value={last.value === value ? last.text : writtenTime(value)}
      placeholder="09:30"
      autoComplete="off"
      onChange={({ currentTarget: { value: text } }) => {
        setLast({ text, value: storedTime(text) })
        onChange(storedTime(text))
      }}
    />
  )
}

function blank(fields: readonly Field[]): Part {
  return Object.fromEntries(fields.map(({ name, shape }) => [name, shape.nullable ? null : '']))
}
