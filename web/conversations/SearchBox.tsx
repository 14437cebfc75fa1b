import type { KeyboardEvent, RefObject } from 'react'
import { isForInputMethod } from '#web/foundation/inputMethod.ts'
import { ariaKeysOf, keysOf, SHORTCUTS } from '#web/foundation/shortcuts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconSearch, IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { focusFirstRow, openFirstRow } from './rowKeys.ts'
import styles from './searchBox.module.css'

const KEY = keysOf(SHORTCUTS.search.strokes[0]).join(' ')

type SearchBoxProps = {
  words: string
  onWords(words: string): void
  onFocus(): void
  input: RefObject<HTMLInputElement | null>
}

export function SearchBox({ words, onWords, onFocus, input }: SearchBoxProps) {
  const t = useTranslate()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isForInputMethod(event.nativeEvent)) return
    const list = event.currentTarget.closest('nav')
    if (event.key === 'Escape' && words !== '') onWords('')
    else if (event.key === 'ArrowDown' && !event.altKey) focusFirstRow(list)
    else if (event.key === 'Enter' && words !== '') openFirstRow(list)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.search} role="search">
      <IconSearch size={16} aria-hidden />
      <input
        ref={input}
        type="text"
        className="bare-field"
        dir="auto"
        enterKeyHint="search"
        data-testid="search"
        value={words}
        maxLength={200}
        aria-label={t('conversations.search')}
        placeholder={t('conversations.search')}
        onChange={event => onWords(event.target.value)}
        data-mantine-stop-propagation={words !== ''}
        aria-keyshortcuts={ariaKeysOf('search')}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
      />
      {words === '' && <kbd className={styles.key}>{KEY}</kbd>}
      {words !== '' && (
        <SmallIconButton
          className={styles.clear}
          label={t('conversations.clearSearch')}
          onClick={() => {
            onWords('')
            input.current?.focus()
          }}
        >
          <IconX size={14} aria-hidden />
        </SmallIconButton>
      )}
    </div>
  )
}
