import type { ConversationRecord } from '#contract/conversations.ts'
import { readStored, writeStored } from '#web/foundation/stored.ts'
import { formatDate } from '#web/foundation/times.ts'
import { toast } from '#web/foundation/toasts.ts'
import { currentLanguage, loadTexts, translate as t } from '#web/i18n/useTranslate.ts'

const ANNOUNCED = 'announcedOld'

type News = { key: string; record: ConversationRecord }

/** Tells once of conversations that will be gone for their age, and of what was answered to who wanted one to stay. */
export async function announceOld(records: readonly ConversationRecord[]): Promise<void> {
  const news = records.flatMap((record): News[] => {
    const { conversation_id: id, ends, keep } = record
    if (id === null || (ends === undefined && keep === undefined)) return []
    return [{ key: keep === 'kept' || keep === 'declined' ? `${id}:${keep}` : id, record }]
  })
  const announced = new Set((readStored(ANNOUNCED) ?? '').split(' '))
  const fresh = news.filter(({ key }) => !announced.has(key)).map(({ record }) => record)
  // Those that have ended, or were used again, are forgotten.
  writeStored(ANNOUNCED, news.length === 0 ? null : news.map(({ key }) => key).join(' '))
  if (fresh.length === 0) return
  await loadTexts('keeping')
  announceEnds(fresh.filter(({ keep }) => keep === undefined))
  for (const { title, keep, ends } of fresh) {
    const values = { title: title || t('conversations.untitled') }
    if (keep === 'kept') toast.notice(t('ending.told.kept', values))
    if (keep === 'declined')
      toast.notice(
        t('ending.told.declined', values),
        ends === undefined ? '' : t('ending.told.declinedText', { date: dateText(ends) }),
      )
  }
}

const dateText = (time: string): string => formatDate(new Date(time), currentLanguage())

function announceEnds(records: readonly ConversationRecord[]): void {
  const [first] = records.flatMap(({ ends }) => ends ?? []).toSorted()
  if (first === undefined) return
  toast.notice(t('ending.toast', { count: records.length }), t('ending.toastText', { date: dateText(first) }))
}
