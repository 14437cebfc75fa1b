import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconSearch, IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import styles from './filterBar.module.css'

/** Milliseconds of debounce after the last keystroke. */
const SETTLES_AFTER = 250

type SearchFieldProps = { label: string; words: string; onWords(words: string): void }

/** A search field that reports its words when typing pauses. */
export function SearchField({ label, words, onWords }: SearchFieldProps) {
  const t = useTranslate()
  const [{ typed, last }, setTyped] = useState({ typed: words, last: words })
  const settle = useEffectEvent(() => {
    const next = typed.trim()
    setTyped({ typed, last: next })
    if (next !== words) onWords(next)
  })
  // The words were changed from outside: by going back, or by “show all”.
  if (words !== last && typed.trim() === last) setTyped({ typed: words, last: words })
  useEffect(() => {
    const timer = setTimeout(settle, SETTLES_AFTER)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <label className={styles.search}>
      <IconSearch size={16} aria-hidden />
      <input
        type="text"
        className="bare-field"
        dir="auto"
        enterKeyHint="search"
        maxLength={200}
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={event => setTyped({ typed: event.currentTarget.value, last })}
        onKeyDown={event => {
          if (event.key === 'Escape' && typed !== '') setTyped({ typed: '', last })
        }}
      />
      {typed !== '' && (
        <SmallIconButton
          className={styles.clear}
          label={t('table.clearSearch')}
          onClick={() => setTyped({ typed: '', last })}
        >
          <IconX size={14} aria-hidden />
        </SmallIconButton>
      )}
    </label>
  )
}
