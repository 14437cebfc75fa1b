import { type KeyboardEvent, type RefObject, useState } from 'react'
import type { ConversationRecord } from '#contract/conversations.ts'
import { ariaKeysOf, isForInputMethod, keysOf, SHORTCUTS } from '#web/foundation/shortcuts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus, IconSearch, IconX } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { ConversationList } from './ConversationList.tsx'
import { ListMenu } from './ConversationMenu.tsx'
import type { RowState } from './ConversationRow.tsx'
import { SharedMeter } from './sharedMeter/SharedMeter.tsx'
import styles from './sidebar.module.css'
import { useConversations } from './useConversations.ts'
import { focusFirstRow, openFirstRow } from './rowKeys.ts'

const SearchHits = lazyComponent(() => import('./SearchHits.tsx').then(module => module.SearchHits))

type SidebarProps = {
  open: string | null
  states: ReadonlyMap<string, RowState>
  /** A conversation that is not stored yet is the first of the list. */
  unsaved: ConversationRecord | null
  searchInput: RefObject<HTMLInputElement | null>
  onNew(): void
}

/** New conversation, search, list. */
export function Sidebar({ open, states, unsaved, searchInput, onNew }: SidebarProps) {
  const t = useTranslate()
  const { data, error, refetch } = useConversations()
  const [words, setWords] = useState('')
  const [hitsMissing, setHitsMissing] = useState(false)
  const search = (next: string) => {
    setWords(next)
    // Changing the words loads the component again.
    setHitsMissing(false)
  }
  const records = unsaved === null || data === undefined ? data : [unsaved, ...data]
  return (
    <nav className={styles.sidebar} aria-label={t('conversations.list')}>
      <div className={styles.head}>
        <div className={styles.newRow}>
          <button
            type="button"
            className={styles.new}
            data-testid="new-conversation"
            aria-keyshortcuts={ariaKeysOf('newConversation')}
            onClick={onNew}
          >
            <IconPlus size={16} aria-hidden />
            {t('conversations.new')}
          </button>
          <ListMenu count={data?.length ?? 0} />
        </div>
        <SearchBox
          words={words}
          onWords={search}
          onFocus={() => {
            SearchHits.preload().catch(() => null)
          }}
          input={searchInput}
        />
      </div>
      {words.trim() === '' ? (
        <ConversationList records={records} open={open} states={states} error={error} onRetry={() => void refetch()} />
      ) : (
        <SearchHits
          words={words}
          records={data ?? []}
          open={open}
          onOut={() => searchInput.current?.focus()}
          fallback={
            hitsMissing ? (
              <p className={styles.empty}>{t('toast.missing')}</p>
            ) : (
              <div className={styles.list} aria-busy="true" />
            )
          }
          needed={!hitsMissing}
          onLoadError={() => setHitsMissing(true)}
        />
      )}
      <SharedMeter />
    </nav>
  )
}

const KEY = keysOf(SHORTCUTS.search.strokes[0]).join(' ')

type SearchBoxProps = {
  words: string
  onWords(words: string): void
  onFocus(): void
  input: RefObject<HTMLInputElement | null>
}

function SearchBox({ words, onWords, onFocus, input }: SearchBoxProps) {
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
