import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type MyUsage, type UsageRequest, withdrawUsageRequest } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useAmounts } from './amounts.ts'
import { AskForMoreForm } from './AskForMoreForm.tsx'
import { refreshMyUsage } from './queries.ts'
import styles from './usage.module.css'

/** One's open requests, and the form for another one: for whoever has a limit. */
export function AskForMore({ usage }: { usage: MyUsage }) {
  const t = useTranslate()
  const [asking, setAsking] = useState(false)
  if (usage.limits.length === 0 && usage.requests.length === 0) return null
  return (
    <section className={styles.more} aria-label={t('usage.more')}>
      {usage.requests.map(request => (
        <OpenRequest key={request.id} request={request} currency={usage.currency} />
      ))}
      {asking ? (
        <AskForMoreForm usage={usage} onDone={() => setAsking(false)} />
      ) : (
        usage.limits.length > 0 && (
          <Button variant="default" size="xs" data-testid="ask-for-more" onClick={() => setAsking(true)}>
            {t('usage.more')}
          </Button>
        )
      )}
    </section>
  )
}

function OpenRequest({ request, currency }: { request: UsageRequest; currency: string }) {
  const t = useTranslate()
  const client = useQueryClient()
  const amounts = useAmounts(currency)
  const withdraw = async () => {
    try {
      await call(withdrawUsageRequest, { params: { id: String(request.id) } })
      toast.success(t('usage.more.withdrawn'))
    } catch (error) {
      reportFailure(error)
    }
    refreshMyUsage(client)
  }
  return (
    <p className={styles.request} data-testid="usage-request">
      <span>
        {t('usage.more.open', {
          amount: amounts.amount(request.unit, request.amount),
          source: request.upstream?.label || t(`sources.${request.source}`),
        })}
      </span>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void withdraw()}>
        {t('usage.more.withdraw')}
      </Button>
    </p>
  )
}
