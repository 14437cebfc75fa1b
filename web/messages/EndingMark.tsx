import type { Ending, Message } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './messages.module.css'

/** Says so when an answer did not come to its own end. */
export function EndingMark({ metadata }: Pick<Message, 'metadata'>) {
  const t = useTranslate()
  const ending = endingOf(metadata)
  if (ending === null) return null
  switch (ending) {
    case 'length': return <div className={styles.endingTag}><Tag>{t('message.cutByLength')}</Tag></div>
    case 'stopped': return <div className={styles.endingTag}><Tag>{t('message.stopped')}</Tag></div>
    case 'interrupted': return <div className={styles.ending}><Note tone="amber" title={t('message.interrupted')} /></div>
    case 'failed': return <div className={styles.ending}><Note tone="amber" title={t('message.failed')} /></div>
  }
}

function endingOf(metadata: Message['metadata']): Ending | 'length' | null {
  if (metadata?.source === 'openai_web') {
    const type = metadata.finish_details?.type
    return type === 'max_tokens' ? 'length' : type === 'interrupted' ? 'stopped' : null
  }
  return metadata?.ending ?? (metadata?.finish_reason === 'length' ? 'length' : null)
}
