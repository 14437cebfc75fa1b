import type { QueryClient } from '@tanstack/react-query'
import { takeUsageNotices, type UsageNotice } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'
import { momentText } from '#web/foundation/moments.ts'
import { modelName, portalQuery } from '#web/foundation/portal.ts'
import { toast } from '#web/foundation/toasts.ts'
import { currentLanguage, loadTexts, translate } from '#web/i18n/useTranslate.ts'
import { amountText, windowText } from './amounts.ts'
import { refreshMyUsage } from './queries.ts'
import { restoreReminder } from './reminder.ts'
import { deviceChoice, renewDevice } from '#web/notices/device.ts'
import { noticesQuery } from '#web/notices/queries.ts'

/** Milliseconds between two looks while a request is open. */
const POLL = 20_000

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Shows what the server has not shown yet in any browser: limits that are nearly or quite used up, and answers to
 * requests. As long as a request is open, it is looked for again and again.
 */
export async function takeNotices(client: QueryClient): Promise<void> {
  clearTimeout(timer)
  restoreReminder()
  void renewThisBrowser(client)
  const taken = await call(takeUsageNotices, {}, { lostSession: 'throw' }).catch(() => null)
  if (taken === null) return
  const { notices, open_requests, currency } = taken
  if (notices.length > 0) await loadTexts('usage')
  const portal = client.getQueryData(portalQuery.queryKey)
  const nameOf = (code: string) => modelName(code, portal, translate)
  for (const notice of notices) show(notice, { currency, nameOf })
  if (notices.some(({ kind }) => kind === 'request')) {
    refreshMyUsage(client)
    // the key of allowanceQuery, which is above this floor
    void client.invalidateQueries({ queryKey: ['allowance'] })
    // and of accounts of which everybody has a part
    void client.invalidateQueries({ queryKey: ['shares'] })
  }
  if (open_requests > 0) timer = setTimeout(() => void takeNotices(client), POLL)
}

let isRenewed = false

/** Once a page: a browser that is told has to be added anew after a sign-in. */
async function renewThisBrowser(client: QueryClient): Promise<void> {
  if (isRenewed || deviceChoice() !== 'on') return
  isRenewed = true
  const read = await client.fetchQuery(noticesQuery).catch(() => null)
  await renewDevice(read?.public_key ?? null).catch(() => null)
}

type Shown = { currency: string; nameOf(code: string): string }

function show(notice: UsageNotice, { currency, nameOf }: Shown): void {
  const t = translate
  const language = currentLanguage()
  const amountOf = (of: Parameters<typeof amountText>[0]) => amountText(of, { currency, language, t })
  const timeOf = (moment: string) => momentText(moment, new Date(), language)
  if (notice.kind === 'limit') {
    const { limit, level } = notice
    const { source, unit, opens_at, left } = limit
    const title = t(level === 100 ? 'usage.notice.all' : 'usage.notice.nearly', {
      source: t(`sources.${source}`),
      limit: windowText(limit, t, nameOf),
    })
    const amount = amountOf({ unit, amount: left })
    const time = opens_at === null ? null : timeOf(opens_at)
    if (level === 80)
      toast.notice(
        title,
        time === null ? t('usage.notice.left', { amount }) : t('usage.notice.leftUntil', { amount, time }),
      )
    // The composer says the same while it is in view.
    else if (document.querySelector('[data-testid="ways"]') === null)
      toast.notice(title, time === null ? t('usage.notice.ask') : t('usage.notice.backOrAsk', { time }))
    return
  }
  const { request } = notice
  const { upstream, decided_by: name } = request
  const source = upstream?.label || t(`sources.${request.source}`)
  // Of an account its owner may have answered.
  const isOfAccount = upstream !== null && name !== null
  const withWord = (text: string) => (request.word === '' ? text : t('usage.notice.word', { word: request.word, text }))
  if (request.decision === 'granted' && request.granted_amount !== null && request.granted_until !== null) {
    const amount = amountOf({ unit: request.unit, amount: request.granted_amount })
    const text = t('usage.notice.grantedUntil', { source, time: timeOf(request.granted_until) })
    toast.notice(
      isOfAccount ? t('usage.notice.grantedBy', { name, amount }) : t('usage.notice.granted', { amount }),
      withWord(text),
    )
  } else {
    const text = t('usage.notice.declinedText', { source, amount: amountOf(request) })
    toast.notice(isOfAccount ? t('usage.notice.declinedBy', { name }) : t('usage.notice.declined'), withWord(text))
  }
}
