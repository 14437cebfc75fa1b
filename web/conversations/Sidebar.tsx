import { type RefObject, useState } from 'react'
import type { ConversationRecord } from '#contract/conversations.ts'
import { ariaKeysOf } from '#web/foundation/shortcuts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { ConversationList } from './ConversationList.tsx'
import { ListMenu } from './ConversationMenu.tsx'
import type { RowState } from './ConversationRow.tsx'
import { SearchBox } from './SearchBox.tsx'
import { SharedMeter } from './sharedMeter/SharedMeter.tsx'
import styles from './sidebar.module.css'
import { useConversations } from './useConversations.ts'

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
