import { Button, Textarea } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Share, ShareWindow } from '#contract/shares.ts'
import { MAX_REASON, requestUsage } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Choice } from '#web/usage/Choice.tsx'
import { takeNotices } from '#web/usage/notices.ts'
import { refreshMyUsage } from '#web/usage/queries.ts'
import { useShareAmounts } from '../shareTexts.ts'
import { AmountField } from './AmountField.tsx'
import { askEnds, typedAmount } from './giving.ts'
import styles from './gifts.module.css'
import { refreshGifts } from './queries.ts'

type AskShareFormProps = { share: Share; window: ShareWindow; onDone(): void }

/** Asks the owner of an account, or the administrators, for more of it. */
export function AskShareForm({ share, window, onDone }: AskShareFormProps) {
  const t = useTranslate()
  const amounts = useShareAmounts(share.currency)
  const form = useAskShareForm({ share, window, onDone })
  const { unit, mine } = window
  const owner = window.people.find(({ is_owner }) => is_owner)?.name ?? t('gifts.administrators')
  return (
    <form className={styles.form} onSubmit={form.submit} data-testid="ask-share-form" noValidate>
      <AmountField
        unit={unit}
        value={form.amountText}
        error={form.wrong ? t('gifts.notWhole') : null}
        hint={share.label}
        onChange={amountText => form.change({ amountText })}
      />
      <Choice
        label={t('gifts.until')}
        options={form.ends.map(({ key, seconds }) => ({ value: key, label: t(key, { window_seconds: seconds }) }))}
        value={form.end?.key ?? 'gifts.until.today'}
        onChoose={key => form.change({ key })}
      />
      <Textarea
        label={t('gifts.reason')}
        description={t(mine !== null && mine.borrowed > 0 ? 'gifts.seenBorrowed' : 'gifts.seen', {
          owner,
          used: amounts.figure(unit, mine?.used ?? 0),
          share: amounts.figure(unit, mine?.share ?? 0),
          borrowed: amounts.figure(unit, mine?.borrowed ?? 0),
        })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={MAX_REASON}
        autosize
        minRows={2}
        value={form.reason}
        onChange={event => form.change({ reason: event.currentTarget.value })}
      />
      <div className={styles.actions}>
        <Button variant="subtle" color="gray" onClick={onDone}>
          {t('kit.cancel')}
        </Button>
        <Button type="submit" loading={form.pending} data-testid="ask-share-send">
          {t('gifts.askFor', { amount: amounts.full(unit, form.amount ?? 0) })}
        </Button>
      </div>
    </form>
  )
}

type Values = { amountText: string; key: string | null; reason: string }

function useAskShareForm({ share, window, onDone }: AskShareFormProps) {
  const t = useTranslate()
  const client = useQueryClient()
  const [values, setValues] = useState<Values>({ amountText: '10', key: null, reason: '' })
  const [now] = useState(() => new Date())
  const [wrong, setWrong] = useState(false)
  const [pending, setPending] = useState(false)
  const ends = askEnds(window, now)
  const end = ends.find(({ key }) => key === values.key) ?? ends[1] ?? ends[0]
  const amount = typedAmount(values.amountText, window.unit)

  async function ask(): Promise<void> {
    if (amount === null || end === undefined) return setWrong(true)
    setPending(true)
    try {
      const { upstream_id } = share
      await call(requestUsage, {
        body: { upstream_id, amount, until: end.time.toISOString(), reason: values.reason },
      })
      toast.success(t('gifts.asked'))
      onDone()
    } catch (error) {
      reportFailure(error)
      setPending(false)
    }
    refreshGifts(client)
    refreshMyUsage(client)
    void takeNotices(client)
  }

  return {
    ...values,
    ...{ ends, end, amount, wrong, pending },
    change: (change: Partial<Values>) => {
      setValues(before => ({ ...before, ...change }))
      setWrong(false)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (!pending) void ask()
    },
  }
}
