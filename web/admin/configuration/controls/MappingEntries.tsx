import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus, IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { isEqual } from '#web/admin/form/useChanges.ts'
import type { Shape } from '../settings/shape.ts'
import { useSettingTexts } from '../settings/useSettingTexts.ts'
import { type ControlProps, groupedBy } from './controlProps.ts'
import styles from './controls.module.css'
import { IntegerInput } from './IntegerField.tsx'

type Entry = [key: string, value: unknown]

/** A mapping as rows of code and value. */
export function MappingEntries({ path, shape, value, onChange }: ControlProps<Extract<Shape, { kind: 'mapping' }>>) {
  const t = useTranslate()
  const { entries, change } = useEntries(value, onChange)
  const replace = (at: number, entry: Entry) => change(entries.with(at, entry))
  return (
    <div className={styles.entries} {...groupedBy(path)}>
      {entries.map((entry, at) => (
        // An entry has no other identity than its position while its code is typed.
        // eslint-disable-next-line react/no-array-index-key
        <MappingEntry
          key={at}
          shape={shape.value}
          entry={entry}
          onChange={next => replace(at, next)}
          onRemove={() => change(entries.toSpliced(at, 1))}
        />
      ))}
      <button type="button" className={styles.add} onClick={() => change([...entries, ['', '']])}>
        <IconPlus size={14} aria-hidden />
        {t('settings.add')}
      </button>
    </div>
  )
}

type MappingEntryProps = { shape: Shape; entry: Entry; onChange(entry: Entry): void; onRemove(): void }

function MappingEntry({ shape, entry: [key, value], onChange, onRemove }: MappingEntryProps) {
  const t = useTranslate()
  const { codeName } = useSettingTexts()
  return (
    <div className={`${styles.entry} ${styles.pair}`}>
      <label>
        <span className="visually-hidden">{t('settings.mapping.key')}</span>
        <span className={styles.field}>
          <input
            value={key}
            spellCheck={false}
            autoComplete="off"
            onChange={e => onChange([e.currentTarget.value, value])}
          />
        </span>
      </label>
      <label className={styles.paired}>
        <span className="visually-hidden">
          {t('settings.wrong.named', { name: codeName(key), why: t('settings.mapping.value') })}
        </span>
        <span className={styles.field}>
          {shape.kind === 'integer' ? (
            <IntegerInput name={codeName(key)} shape={shape} value={value} onChange={next => onChange([key, next])} />
          ) : (
            <input
              value={String(value)}
              spellCheck={false}
              autoComplete="off"
              onChange={e => onChange([key, e.currentTarget.value])}
            />
          )}
        </span>
      </label>
      <SmallIconButton
        className={styles.remove}
        label={t('settings.remove', { item: codeName(key) })}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </SmallIconButton>
    </div>
  )
}

/**
 * The rows as they are typed. When a code occurs twice, the rows are passed on as a list, since a mapping cannot hold
 * both.
 */
function useEntries(value: unknown, onChange: (value: unknown) => void) {
  const [last, setLast] = useState<{ entries: Entry[]; value: unknown } | null>(null)
  const entries = last !== null && isEqual(last.value, value) ? last.entries : entriesOf(value)
  const change = (next: Entry[]) => {
    const isTwice = new Set(next.map(([key]) => key)).size < next.length
    const mapping = isTwice ? next : Object.fromEntries(next)
    setLast({ entries: next, value: mapping })
    onChange(mapping)
  }
  return { entries, change }
}

function entriesOf(value: unknown): Entry[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
