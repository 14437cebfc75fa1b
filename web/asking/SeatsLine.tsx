import { useAllowance } from '#web/accounts/allowance.ts'
import { fullnessOf, isFree, leastBusy, paceOf } from '#web/conversations/sharedMeter/account.ts'
import { useSharedMeter } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './empty.module.css'
import { useModelChoice } from './composer/modelChoice.tsx'
import { useOnline } from './useOnline.ts'
import { limitOn } from './composer/limit.ts'

/** Under the greeting: whether whoever asks now is answered at once, or how long the line is. Silent where nothing can be asked now. */
export function SeatsLine() {
  const t = useTranslate()
  const accounts = useSharedMeter()?.accounts ?? []
  const choice = useModelChoice(null)
  const told = useAllowance()
  const account = choice === null ? undefined : leastBusy(accounts, choice.source)
  const mayAsk =
    useOnline() && choice !== null && (told === undefined || limitOn(told.allowance, choice, true) === null)
  return (
    <p className={styles.seats} data-testid="seats">
      {account !== undefined && mayAsk && fullnessOf(account) !== 'full' && words(account)}
    </p>
  )

  function words(at: (typeof accounts)[number]): string {
    if (isFree(at)) return t('empty.free')
    const pace = paceOf(at)
    if (at.waiting === 0) return t('empty.busy')
    return pace === null
      ? t('empty.waiting', { count: at.waiting })
      : t('empty.waitingPace', { count: at.waiting, estimate_seconds: pace })
  }
}
