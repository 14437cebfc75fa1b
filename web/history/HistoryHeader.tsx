import type { ConversationHistory } from '#contract/conversations.ts'
import { ConversationExport } from '#web/conversations/ConversationExport.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './history.module.css'

/** What is read here, and whose it is when it is not one's own. */
export function HistoryHeader({ history: { _id, title, owner } }: { history: ConversationHistory }) {
  const t = useTranslate()
  const shown = title || t('conversations.untitled')
  return (
    <>
      <h1 dir="auto" className={styles.title}>
        {shown}
      </h1>
      <Tag tone="outline">{t('history.readOnly')}</Tag>
      {owner !== undefined && (
        <Tag tone="amber">{owner === null ? t('history.ofNobody') : t('history.of', { nickname: owner.nickname })}</Tag>
      )}
      <ConversationExport id={_id} title={shown} />
    </>
  )
}
