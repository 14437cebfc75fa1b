import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Amount, decideUsageRequest, listUsageRequests, readUsage, type UsageRequest } from '#contract/usage.ts'
import { DateInput } from '#web/admin/drawer/rows.tsx'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useAmounts } from '#web/usage/amounts.ts'
import { usePartText } from '#web/usage/partText.ts'
import { openRequestsQuery } from '#web/admin/shell/openRequests.ts'
import styles from './requests.module.css'

/** People who ask for more, and what can be answered. Nothing while nobody does. */
export function Requests({ currency }: { currency: string | null }) {
  const t = useTranslate()
  const { data } = useQuery(openRequestsQuery)
  if (data === undefined || data.length === 0 || currency === null) return null
  return (
    <section className={styles.requests} aria-label={t('requests.title')}>
      <h2>{t('requests.title')}</h2>
      {data.map(request => (
        <Request key={request.id} request={request} currency={currency} />
      ))}
    </section>
  )
}

function Request({ request, currency }: { request: UsageRequest; currency: string }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const amounts = useAmounts(currency)
  const partText = usePartText(currency)
  const answer = useAnswer(request, amounts.amount)
  const { nickname, user_id, source, unit, reason, create_time } = request
  const asked = amounts.amount(unit, request.amount)
  return (
    <article className={styles.request} data-testid="usage-request">
      <UserAvatar id={user_id} nickname={nickname} />
      <div className={styles.words}>
        <p>
          <b>{t('requests.asks', { nickname, amount: asked, time: momentText(request.until) })}</b>
          <small>{momentText(create_time)}</small>
        </p>
        <p className={styles.source}>
          {t('requests.source', {
            source: request.upstream?.label || t(`sources.${source}`),
            unit: t(`usage.unit.${unit}`),
          })}
        </p>
        {request.part !== null && <p className={styles.source}>{partText(request.part, unit)}</p>}
        {reason !== '' && <p className={styles.reason}>{reason}</p>}
        {answer.changing && <ChangedAmount answer={answer} />}
        <TextInput
          size="xs"
          placeholder={t('requests.word')}
          aria-label={t('requests.word')}
          maxLength={500}
          value={answer.word}
          onChange={event => answer.change({ word: event.currentTarget.value })}
        />
        {answer.wrong && <p className={styles.wrong}>{t('requests.wrong')}</p>}
        <div className={styles.actions}>
          <Button size="xs" data-testid="grant" loading={answer.pending} onClick={() => answer.send('granted')}>
            {t('requests.grant', { amount: answer.granted === null ? asked : amounts.amount(unit, answer.granted) })}
          </Button>
          {!answer.changing && (
            <Button size="xs" variant="default" onClick={() => answer.change({ changing: true })}>
              {t('requests.change')}
            </Button>
          )}
          <Button size="xs" variant="subtle" color="gray" data-testid="decline" onClick={() => answer.send('declined')}>
            {t('requests.decline')}
          </Button>
        </div>
      </div>
    </article>
  )
}

type Answer = ReturnType<typeof useAnswer>

function ChangedAmount({ answer }: { answer: Answer }) {
  const t = useTranslate()
  return (
    <div className={styles.changed}>
      <TextInput
        size="xs"
        label={t('requests.amount')}
        inputMode="decimal"
        value={answer.amount}
        onChange={event => answer.change({ amount: event.currentTarget.value })}
      />
      <DateInput
        label={t('requests.until')}
        withTime
        value={answer.until}
        onChange={until => answer.change({ until })}
      />
    </div>
  )
}

/** Sent as it was asked for, unless it is changed. */
function useAnswer(request: UsageRequest, amountText: (unit: UsageRequest['unit'], amount: number) => string) {
  const t = useTranslate()
  const client = useQueryClient()
  const [values, setValues] = useState({
    changing: false,
    amount: String(request.amount),
    until: localText(new Date(request.until)),
    word: '',
  })
  const [wrong, setWrong] = useState(false)
  const [pending, setPending] = useState(false)
  const parsed = Amount.safeParse(Number(values.amount.normalize('NFKC').replace(',', '.')))
  const amount = parsed.success && (request.unit === 'money' || Number.isInteger(parsed.data)) ? parsed.data : null
  const until = new Date(values.until)

  const send = async (decision: 'granted' | 'declined') => {
    if (decision === 'granted' && values.changing && (amount === null || Number.isNaN(until.getTime()))) {
      setWrong(true)
      return
    }
    setPending(true)
    const changed = decision === 'granted' && values.changing && { amount, until: until.toISOString() }
    try {
      const { nickname, unit, granted_amount } = await call(decideUsageRequest, {
        params: { id: String(request.id) },
        body: { decision, word: values.word, ...changed },
      })
      toast.success(
        decision === 'granted'
          ? t('requests.granted', { nickname, amount: amountText(unit, granted_amount ?? 0) })
          : t('requests.declined', { nickname }),
      )
    } catch (error) {
      reportFailure(error)
    }
    setPending(false)
    void client.invalidateQueries({ queryKey: ['admin', listUsageRequests.path] })
    void client.invalidateQueries({ queryKey: ['admin', readUsage.path] })
  }
  return {
    ...values,
    granted: values.changing ? amount : request.amount,
    wrong,
    pending,
    change: (change: Partial<typeof values>) => {
      setValues(before => ({ ...before, ...change }))
      setWrong(false)
    },
    send: (decision: 'granted' | 'declined') => void send(decision),
  }
}

/** As a field for a date and time has it, in this device's zone. */
const localText = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
