import type { OfferedInvitation, OfferedLimit } from '#contract/joining.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './InvitationScreen.module.css'

/** Limits that are named; people read the rest in their profile. */
const MAX_NAMED = 3

/** What somebody gets, in words: what may be asked, with how many models, and whether files can be uploaded. */
export function Offer({ plan: { name, limits, currency, models, may_upload } }: { plan: OfferedInvitation['plan'] }) {
  const t = useTranslate()
  const limitText = useLimitText(currency)
  const named = limits.slice(0, MAX_NAMED).map(limitText).join(t('kit.comma'))
  const more = [t('invitation.models', { count: models }), ...(may_upload ? [t('invitation.uploads')] : [])]
  return (
    <div className={styles.offer} data-testid="offer">
      <b>{named === '' ? t('invitation.noLimit') : t('invitation.you', { limits: named })}</b>
      <span>
        {name !== null && t('invitation.inPlan', { plan: name })}
        {more.join(t('kit.comma'))}
      </span>
    </div>
  )
}

function useLimitText(currency: string): (limit: OfferedLimit) => string {
  const t = useTranslate()
  return ({ unit, amount, window, seconds }) => {
    const amounts = {
      asks: () => t('invitation.amount.asks', { amount }),
      tokens: () => t('invitation.amount.tokens', { amount }),
      money: () => t('invitation.amount.money', { amount, currency }),
    }
    const parts = {
      amount: amounts[unit](),
      window:
        window === 'rolling' || window === 'from_first'
          ? t(`invitation.window.${window}`, { span_seconds: seconds ?? 0 })
          : t(`invitation.window.${window}`),
    }
    return t('invitation.limit', parts)
  }
}
