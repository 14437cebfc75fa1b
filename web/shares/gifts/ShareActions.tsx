import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Share } from '#contract/shares.ts'
import { type UsageRequest, withdrawUsageRequest } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { refreshMyUsage } from '#web/usage/queries.ts'
import { useShareAmounts } from '../shareTexts.ts'
import { givenWindow } from './giving.ts'
import styles from './gifts.module.css'
import { openShareDialog, type ShareDialog } from './shareDialog.ts'
import { OwnerRequest } from './OwnerRequest.tsx'
import { refreshGifts, requestsQuery } from './queries.ts'

/** What one can do with one's share, what one has asked for, and what its owner is asked for. */
export function ShareActions({ share }: { share: Share }) {
  const t = useTranslate()
  const me = useSession(({ user }) => user?.id)
  const { data } = useQuery(requestsQuery)
  const window = givenWindow(share)
  if (share.sharing !== 'shares' || window === undefined || window.mine === null) return null
  const { upstream_id } = share
  const requests = data?.filter(({ upstream }) => upstream !== null && share.upstream_ids.includes(upstream.id)) ?? []
  const mine = requests.find(({ user_id }) => user_id === me)
  const button = (kind: ShareDialog['kind']) => ({
    size: 'xs',
    onClick: (event: { currentTarget: Element }) => openShareDialog({ kind, upstream_id }, event.currentTarget),
  })
  return (
    <div className={styles.panel}>
      {requests
        .filter(({ user_id, part }) => user_id !== me && part !== null)
        .map(request => (
          <OwnerRequest key={request.id} request={request} currency={share.currency} />
        ))}
      {mine !== undefined && <OpenRequest request={mine} share={share} />}
      <div className={styles.buttons}>
        <Button variant="default" data-testid="gift" {...button('give')}>
          {t('gifts.give')}
        </Button>
        {mine === undefined && !share.is_owner && (
          <Button variant="subtle" color="gray" data-testid="ask-share" {...button('ask')}>
            {t('gifts.ask')}
          </Button>
        )}
        <Button variant="subtle" color="gray" data-testid="open-share-ledger" {...button('ledger')}>
          {t('gifts.ledger')}
        </Button>
      </div>
    </div>
  )
}

function OpenRequest({ request, share }: { request: UsageRequest; share: Share }) {
  const t = useTranslate()
  const client = useQueryClient()
  const momentText = useMomentText()
  const { full } = useShareAmounts(share.currency)
  const [pending, setPending] = useState(false)
  const owner = givenWindow(share)?.people.find(({ is_owner }) => is_owner)?.name ?? t('gifts.administrators')
  const withdraw = async () => {
    setPending(true)
    try {
      await call(withdrawUsageRequest, { params: { id: String(request.id) } })
    } catch (error) {
      reportFailure(error)
    }
    setPending(false)
    refreshGifts(client)
    refreshMyUsage(client)
  }
  const { create_time, unit, amount } = request
  return (
    <p className={styles.open} data-testid="open-share-request">
      <span>{t('gifts.open', { time: momentText(create_time), owner, amount: full(unit, amount) })}</span>
      <Button size="compact-sm" variant="subtle" color="gray" loading={pending} onClick={() => void withdraw()}>
        {t('gifts.withdraw')}
      </Button>
    </p>
  )
}
