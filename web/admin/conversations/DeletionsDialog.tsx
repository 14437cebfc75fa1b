import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Deletion, listDeletions } from '#contract/conversationAdministration.ts'
import { Moment } from '#web/admin/table/Moment.tsx'
import { listKey } from '#web/admin/table/useList.ts'
import { call } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './conversations.module.css'

type DeletionsDialogProps = { onRestore(deletion: Deletion): void; onClose(): void }

/** The latest deletions of several conversations, each of which can be restored as a whole. */
export function DeletionsDialog({ onRestore, onClose }: DeletionsDialogProps) {
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
