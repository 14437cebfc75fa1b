import { isFree, paceOf } from '#web/conversations/sharedMeter/account.ts'
import { useSharedMeter } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from '../empty.module.css'
import { useModelChoice } from '../useModelChoice.ts'

/** Under the greeting: whether whoever asks now is answered at once, or how long the line is. */
export function SeatsLine() {
  const t = useTranslate()
  const accounts = useSharedMeter()?.accounts ?? []
  const source = useModelChoice(null)?.source
  const account = accounts.find(each => each.source === source) ?? accounts[0]
  return <p className={styles.seats}>{account !== undefined && words(account)}</p>

  function words(at: (typeof accounts)[number]): string {
    if (isFree(at)) return t('empty.free')
    const pace = paceOf(at)
    if (at.waiting === 0) return t('empty.busy')
    return pace === null ? t('empty.waiting', { count: at.waiting }) : t('empty.waitingPace', { count: at.waiting, estimate_seconds: pace })
  }
}
