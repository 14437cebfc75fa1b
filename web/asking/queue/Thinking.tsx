import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import type { Ask } from '../asks/askState.ts'
import styles from './queue.module.css'
import { useSecondsSince } from '#web/foundation/times.ts'

/** Seconds after which the waiting time is shown. */
const COUNT_FROM = 3

/** The question is sent and no answer has come yet: a dot where the answer will be. */
export function Thinking({ ask }: { ask: Ask }) {
  const t = useTranslate()
  const seconds = useSecondsSince(ask.since)
  return (
    <div className={styles.thinking}>
      <BreathingDot size={9} />
      <span>{t(ask.state.phase === 'sending' ? 'ask.sending' : 'ask.thinking')}</span>
      {seconds >= COUNT_FROM && <span className={styles.seconds}>{t('message.seconds', { count: seconds })}</span>}
    </div>
  )
}
