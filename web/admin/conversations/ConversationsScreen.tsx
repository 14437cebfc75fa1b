import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import {
  type ConversationCounts,
  type ConversationRow,
  countConversations,
  listEveryConversation,
  type Deletion,
  listDeletions,
} from '#contract/conversationAdministration.ts'
import { PageHead } from '#web/admin/shell/Page.tsx'
import { DataTable } from '#web/admin/table/DataTable.tsx'
import { FilterBar } from '#web/admin/table/FilterBar.tsx'
import { ListLayout } from '#web/admin/table/ListLayout.tsx'
import { Pager } from '#web/admin/table/Pager.tsx'
import { askAhead, listKey, useList } from '#web/admin/table/useList.ts'
import { Moment, shortMoment, useConversationColumns } from './columns.tsx'
import { call } from '#web/foundation/call.ts'
import { formatDateTime, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { IconDots, IconRefresh } from '#web/kit/icons.ts'
import { IconMenuButton } from '#web/kit/MenuButton.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import type { Sync } from '#web/sources/adminSlots.ts'
import { syncSlot, useSync } from '#web/sources/list/adminSlots.ts'
import { ChangeBar, confirmHideAll, confirmVanish } from './ChangeBar.tsx'
import styles from './conversations.module.css'
import { KeepRequests } from './KeepRequests.tsx'
import { useSelectedConversations } from './useSelectedConversations.ts'
import { useConversationChange } from './useConversationChange.ts'
import { useConversationFilters } from './useConversationFilters.tsx'

const keyOf = ({ id }: ConversationRow) => String(id)
const NEWEST_FIRST = { sort: 'create_time', order: 'desc' } as const

export function askForRows(search: Readonly<Record<string, unknown>>): void {
  askAhead(listEveryConversation, { sorted: NEWEST_FIRST }, search)
}

/** Everybody's conversations: found, read, assigned, hidden and destroyed. */
export function ConversationsScreen() {
  const t = useTranslate()
  const list = useList(listEveryConversation, { keyOf, sorted: NEWEST_FIRST, linked: true })
  const counts = useCounts()
  const choice = useSelectedConversations(list, counts)
  const { Strip } = syncSlot()
  const sync = useSync(useRefreshed())
  const changes = useConversationChange({ onEnd: choice.keepFailed })
  const { start } = changes
  const restore = useCallback(({ id }: ConversationRow) => void start({ action: 'restore', ids: [id] }), [start])
  const columns = useConversationColumns(changes.change, restore)
  const filters = useConversationFilters(list.address, counts, list.rows)
  const selection = {
    ...choice.selection,
    select: (keys: readonly string[], selected: boolean) => {
      if (changes.isOver) changes.close()
      choice.selection.select(keys, selected)
    },
  }
  return (
    <ListLayout
      head={
        <>
          <PageHead title={t('admin.conversation')} context={<Context counts={counts} sync={sync} />}>
            {counts !== undefined && <HeadActions counts={counts} changes={changes} sync={sync} />}
          </PageHead>
          {sync !== undefined && <Strip sync={sync} onAssign={() => list.address.change({ owner: 'nobody' })} />}
          <KeepRequests />
          <FilterBar
            address={list.address}
            search={t('conv.search')}
            filters={filters}
            count={list.phase === 'shown' ? t('conv.count', { count: list.total }) : undefined}
          />
        </>
      }
      foot={<Pager list={list} />}
      bulk={<ChangeBar chosen={choice.chosen} changes={changes} onClear={choice.clear} onAll={choice.chooseAll} />}
    >
      <DataTable
        label={t('admin.conversation')}
        columns={columns}
        list={list}
        selection={selection}
        empty={<p>{t('conv.none')}</p>}
      />
    </ListLayout>
  )
}

type ContextProps = { counts: ConversationCounts | undefined; sync: Sync | undefined }

function Context({ counts, sync }: ContextProps) {
  const t = useTranslate()
  const language = useLanguage()
  const now = useNow()
  if (counts === undefined) return ''
  const text = t('conv.context', { valid: counts.valid, nobodys: counts.nobodys })
  if (sync === undefined || sync.accounts === 0) return text
  const { last } = sync
  return (
    <>
      {text}
      <span className={styles.wide}>
        {' · '}
        {last === null
          ? t('conv.sync.never')
          : t('conv.sync.last', { time: shortMoment(new Date(last.end_time), now, language) })}
      </span>
    </>
  )
}

/** Refetches the list and its counts, for what a sync has found. */
function useRefreshed(): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    void client.invalidateQueries({ queryKey: listKey(listEveryConversation) })
    void client.invalidateQueries({ queryKey: listKey(countConversations) })
  }, [client])
}

function useCounts(): ConversationCounts | undefined {
  return useQuery({
    queryKey: listKey(countConversations),
    queryFn: ({ signal }) => call(countConversations, {}, { signal }),
  }).data
}

type HeadActionsProps = {
  counts: ConversationCounts
  changes: ReturnType<typeof useConversationChange>
  sync: Sync | undefined
}

/** Actions on all conversations. */
function HeadActions({ counts: { all, valid, time, hidden_end }, changes, sync }: HeadActionsProps) {
  const t = useTranslate()
  const language = useLanguage()
  const [restoring, setRestoring] = useState(false)
  const hidden = all - valid
  const vanishHidden = async () => {
    const filter = { state: 'hidden' } as const
    if (await confirmVanish({ by: 'filter', count: hidden, filter, before: time }))
      await changes.start({ action: 'vanish', filter, before: time })
  }
  const hideAll = async () => {
    const date = formatDateTime(new Date(hidden_end), language)
    if (await confirmHideAll(valid, date))
      await changes.start({ action: 'hide', filter: { state: 'valid' }, before: time })
  }
  const canSync = sync !== undefined && sync.accounts > 0 && sync.current === null
  const startSync = async () => {
    if (await syncSlot().confirm()) sync?.start()
  }
  return (
    <div className={styles.actions}>
      {hidden > 0 && (
        <Button
          variant="subtle"
          color="gray"
          className={styles.aside}
          data-testid="vanish-hidden"
          onClick={() => void vanishHidden()}
        >
          {t('conv.vanishHidden', { count: hidden })}
        </Button>
      )}
      {sync !== undefined && sync.accounts > 0 && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          data-testid="sync"
          disabled={!canSync}
          onClick={() => void startSync()}
        >
          {t('conv.sync')}
        </Button>
      )}
      <IconMenuButton
        label={t('kit.more')}
        className={styles.more}
        entries={[
          ...(canSync ? [{ label: t('conv.sync'), run: () => void startSync() }] : []),
          { label: t('conv.restoreDeletion'), testid: 'deletions', run: () => setRestoring(true) },
          // A narrow screen has no room for it beside the title.
          ...(hidden > 0
            ? [{ label: t('conv.vanishHidden', { count: hidden }), danger: true, run: () => void vanishHidden() }]
            : []),
          { label: t('conv.hideAll'), testid: 'hide-all', danger: true, run: () => void hideAll() },
        ]}
      >
        <IconDots size={18} aria-hidden />
      </IconMenuButton>
      {restoring && (
        <DeletionsDialog
          onRestore={({ id }) => {
            setRestoring(false)
            void changes.restore(id)
          }}
          onClose={() => setRestoring(false)}
        />
      )}
    </div>
  )
}

type DeletionsDialogProps = { onRestore(deletion: Deletion): void; onClose(): void }

/** The latest deletions of several conversations, each of which can be restored as a whole. */
function DeletionsDialog({ onRestore, onClose }: DeletionsDialogProps) {
  const t = useTranslate()
  const {
    data: deletions,
    error,
    refetch,
  } = useQuery({
    queryKey: listKey(listDeletions),
    queryFn: ({ signal }) => call(listDeletions, {}, { signal }),
    meta: { quiet: true },
  })
  return (
    <Dialog title={t('conv.deletions')} width={500} onClose={onClose}>
      {error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {deletions?.length === 0 && <p>{t('conv.noDeletions')}</p>}
      <ul className={styles.deletions}>
        {deletions?.map(deletion => (
          <li key={deletion.id}>
            <div className={styles.deletion}>
              {t('conv.deletionHides', { count: deletion.hidden })}
              <p>
                <Moment time={deletion.time} /> {deletion.by?.nickname ?? t('conv.somebody')}
              </p>
            </div>
            {deletion.of_all && <Tag tone="amber">{t('conv.ofAll')}</Tag>}
            <Button size="xs" variant="default" data-testid="restore-deletion" onClick={() => onRestore(deletion)}>
              {t('conv.restoreAll')}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
