import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus, IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/SmallIconButton.tsx'
import type { Field, Shape } from '../shape.ts'
import { storedTime, writtenTime } from '../times.ts'
import { useSettingTexts } from '../useSettingTexts.ts'
import { type ControlProps, groupedBy } from './controlProps.ts'
import styles from './controls.module.css'
import { IntegerInput } from './IntegerField.tsx'

type Part = Record<string, unknown>

/** A list whose entries have several parts, such as the span and the number of a rate limit. */
export function Entries({ path, shape, value, onChange }: ControlProps<Extract<Shape, { kind: 'list' }>>) {
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
