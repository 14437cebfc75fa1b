import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './attachments.module.css'
import type { Shared } from './plan.ts'
import { shortContext, shortCount } from './weights.ts'

/** How the context of the model is shared out, from half full on. */
export function ContextBar({ shared: { plan, conversation, question, length } }: { shared: Shared }) {
  const t = useTranslate()
  if (length === null) return null
  const said = conversation + question
  const left = Math.max(0, length - said - plan.tokens)
  if (said + plan.tokens < length / 2) return null
  const numbers = { left: shortCount(left), length: shortContext(length) }
  const text = t('attachments.context', {
    conversation: shortCount(said),
    attachments: shortCount(plan.tokens),
    ...numbers,
  })
  return (
    <div className={styles.context} data-testid="context-bar">
      <div
        className={styles.bar}
        role="meter"
        aria-label={t('attachments.contextLabel')}
        aria-valuemin={0}
        aria-valuemax={length}
        aria-valuenow={Math.min(length, said + plan.tokens)}
        aria-valuetext={text}
      >
        <i className={styles.said} style={{ flexGrow: said }} />
        <i className={styles.attached} style={{ flexGrow: plan.tokens }} />
        <i className={styles.left} style={{ flexGrow: left }} />
      </div>
      <span className={styles.contextText}>{text}</span>
      <span className={styles.contextShort}>{t('attachments.contextLeft', numbers)}</span>
    </div>
  )
}
