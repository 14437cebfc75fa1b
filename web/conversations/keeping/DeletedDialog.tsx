import { useRef } from 'react'
import { Button, FocusTrap, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { restoreConversation } from '#contract/conversations.ts'
import { type DeletedConversation, listDeletedConversations } from '#contract/keeping.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { formatDate } from '#web/foundation/times.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { notifyTabs, refreshList } from '../useConversations.ts'
import styles from './keeping.module.css'

const DELETED = queryOptions({
  queryKey: ['deleted conversations'],
  queryFn: ({ signal }) => call(listDeletedConversations, {}, { signal }),
  staleTime: 0,
  meta: { quiet: true },
})

/** One's own deleted conversations: when each is gone for good, and the way back until then. */
export function DeletedDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { data, isPending, error, refetch } = useQuery(DELETED)
  return (
    <Dialog title={t('deleted.title')} width={600} onClose={onClose}>
      {isPending && <p role="status">{t('kit.loading')}</p>}
      {error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data !== undefined && (
        <>
          <Text size="sm" c="var(--ink-2)" mb="sm">
            {t('deleted.note', { days: data.days })}
          </Text>
          {data.conversations.length === 0 ? (
            <p className={styles.none}>{t('deleted.none')}</p>
          ) : (
            <Rows conversations={data.conversations} />
          )}
        </>
      )}
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}

function Rows({ conversations }: { conversations: readonly DeletedConversation[] }) {
  const t = useTranslate()
  const list = useRef<HTMLUListElement>(null)
  const restore = async ({ conversation_id: id, title }: DeletedConversation) => {
    try {
      await call(restoreConversation, { params: { id } })
      toast.success(t('deleted.restored', { title: title || t('conversations.untitled') }))
      notifyTabs({ conversation_id: id })
      void refreshList(queryClient)
    } catch (cause) {
      reportFailure(cause)
    }
    await queryClient.invalidateQueries(DELETED)
    // The pressed button is unmounted with its row.
    list.current?.focus()
  }
  return (
    <ul ref={list} tabIndex={-1} className={styles.rows} aria-label={t('deleted.title')} data-testid="deleted-list">
      {conversations.map(conversation => (
        <Row key={conversation.conversation_id} conversation={conversation} onRestore={restore} />
      ))}
    </ul>
  )
}

type RowProps = { conversation: DeletedConversation; onRestore(conversation: DeletedConversation): Promise<void> }

function Row({ conversation, onRestore }: RowProps) {
  const t = useTranslate()
  const language = useLanguage()
  const title = conversation.title || t('conversations.untitled')
  const { deleted, ends } = conversation
  return (
    <li className={styles.row} data-testid="deleted-row">
      <span className={styles.facts}>
        <span className={styles.title} dir="auto" title={title}>
          {title}
        </span>
        <small>
          {deleted !== null && <span>{t('deleted.on', { date: formatDate(new Date(deleted), language) })}</span>}
          <span>
            {ends === null ? t('deleted.kept') : t('deleted.ends', { date: formatDate(new Date(ends), language) })}
          </span>
        </small>
      </span>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t('deleted.restoreIt', { title })}
        data-testid="restore"
        onClick={() => void onRestore(conversation)}
      >
        {t('deleted.restore')}
      </Button>
    </li>
  )
}
