import { useQuery } from '@tanstack/react-query'
import { readConfiguration } from '#contract/configuration/configuration.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import { call } from '#web/foundation/call.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { LimitIdentity } from './plans.ts'

/** The portal's currency, by its code. */
export function useCurrency(): string {
  const { data } = useQuery({
    queryKey: ['configuration'],
    queryFn: ({ signal }) => call(readConfiguration, {}, { signal }),
    meta: { quiet: true },
  })
  const currency: unknown = Reflect.get(data?.money ?? {}, 'currency')
  return typeof currency === 'string' ? currency : 'USD'
}

/** Limits in words, such as "每周 60 次". */
export function useLimitTexts() {
  const t = useTranslate()
  const currency = useCurrency()
  const modelName = useModelName()

  const amountText = (unit: LimitUnit, amount: number): string => {
    if (amount === UNLIMITED) return t('kit.unlimited')
    return unit === 'money' ? t('plans.amount.money', { amount, currency }) : t(`plans.amount.${unit}`, { amount })
  }
  const windowText = (window: LimitWindow): string =>
    'seconds' in window
      ? t(`plans.each.${window.kind}`, { span_seconds: window.seconds })
      : t(`plans.each.${window.kind}`)
  const limitText = ({ unit, window, models }: LimitIdentity, amount: number): string => {
    const text = t('plans.limit', { amount: amountText(unit, amount), window: windowText(window) })
    return models === null
      ? text
      : t('plans.limitOf', { limit: text, models: models.map(modelName).join(t('kit.comma')) })
  }
  return { currency, amountText, windowText, limitText }
}
