import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { MODEL_CODES } from '#contract/models.ts'
import { isForInputMethod } from '#web/foundation/shortcuts.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus, IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import type { Shape } from '../settings/shape.ts'
import { useSettingTexts } from '../settings/useSettingTexts.ts'
import { type ControlProps, groupedBy } from './controlProps.ts'
import styles from './controls.module.css'

/** A list of texts: each with a cross, and a field to add one. */
export function Chips({ path, shape, value, onChange }: ControlProps<Extract<Shape, { kind: 'list' }>>) {
  const t = useTranslate()
  const { codeName } = useSettingTexts()
  const items = Array.isArray(value) ? value.map(String) : []
  const isCode = shape.item.kind === 'text' && shape.item.format === 'code'
  return (
    <div className={styles.chips} {...groupedBy(path)}>
      {items.map(item => (
        <span key={item} className={styles.chip}>
          {isCode ? codeName(item) : item}
          <SmallIconButton
            label={t('settings.remove', { item: isCode ? codeName(item) : item })}
            onClick={() => onChange(items.filter(each => each !== item))}
          >
            <IconX size={14} aria-hidden />
          </SmallIconButton>
        </span>
      ))}
      <AddChip
        suggested={isCode ? path : null}
        taken={items}
        onAdd={item => {
          if (!items.includes(item)) onChange([...items, item])
        }}
      />
    </div>
  )
}

type AddChipProps = { suggested: string | null; taken: readonly string[]; onAdd(item: string): void }

/** Enter adds the text and keeps the field open; Escape or leaving the field closes it. */
function AddChip({ suggested, taken, onAdd }: AddChipProps) {
  const t = useTranslate()
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const codes = useModelCodes(suggested).filter(code => !taken.includes(code))
  if (text === null)
    return (
      <button ref={button} type="button" className={styles.add} onClick={() => setText('')}>
        <IconPlus size={14} aria-hidden />
        {t('settings.add')}
      </button>
    )
  const add = (more: string | null) => {
    if (text.trim() !== '') onAdd(text.trim())
    setText(more)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event.nativeEvent)) return
    if (event.key === 'Escape') setText(null)
    if (event.key !== 'Enter') return
    event.preventDefault()
    add('')
  }
  return (
    <span className={`${styles.field} ${styles.adding}`}>
      <input
        ref={focused}
        aria-label={t('settings.add')}
        list={codes.length > 0 ? id : undefined}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => add(null)}
      />
      <datalist id={id}>
        {codes.map(code => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </datalist>
    </span>
  )
}

function focused(input: HTMLInputElement | null): void {
  input?.focus()
}

/** The codes of the source that a setting belongs to: the built-in ones, and those that are offered now. */
function useModelCodes(path: string | null): string[] {
  const portal = usePortal()
  const [source] = path?.split('.') ?? []
  if (source !== 'openai_web' && source !== 'openai_api') return []
  const offered = portal?.models.filter(model => model.source === source).map(({ code }) => code) ?? []
  return [...new Set([...MODEL_CODES[source], ...offered])]
}
