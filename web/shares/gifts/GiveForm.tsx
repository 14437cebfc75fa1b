import { Button, NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { giveShare, type Share, type ShareWindow } from '#contract/shares.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Choice } from '#web/usage/Choice.tsx'
import { useShareAmounts } from '../shareTexts.ts'
import { AmountField } from './AmountField.tsx'
import { firstAmount, giftEnds, mineLeft, typedAmount } from './giving.ts'
import styles from './gifts.module.css'
import { GiftSum } from './GiftSum.tsx'
import { receiversQuery, refreshGifts } from './queries.ts'

type GiveFormProps = { share: Share; window: ShareWindow; onDone(): void }

/** So much of my share to somebody, until a moment; and what both have then. */
export function GiveForm({ share, window, onDone }: GiveFormProps) {
  const t = useTranslate()
  const momentText = useMomentText()
  const amounts = useShareAmounts(share.currency)
  const form = useGiveForm({ share, window, onDone })
  const { unit } = window
  const { receivers, receiver, ends, end, amount, left } = form
  if (receivers === undefined) return null
  if (receivers.length === 0) return <p className={styles.hint}>{t('gifts.nobody')}</p>
  return (
    <form className={styles.form} onSubmit={form.submit} data-testid="gift-form" noValidate>
      <NativeSelect
        label={t('gifts.to')}
        data={receivers.map(({ user_id, name }) => ({ value: String(user_id), label: name }))}
        value={String(receiver?.user_id)}
        onChange={event => form.change({ to: Number(event.currentTarget.value) })}
      />
      <AmountField
        unit={unit}
        value={form.amountText}
        error={form.wrong ? t('gifts.wrong', { left: amounts.full(unit, left) }) : null}
        hint={t('gifts.left', { left: amounts.full(unit, left) })}
        onChange={amountText => form.change({ amountText })}
      />
      <Choice
        label={t('gifts.until')}
        options={ends.map(({ key, seconds }) => ({ value: key, label: t(key, { window_seconds: seconds }) }))}
        value={end?.key ?? 'gifts.until.today'}
        onChoose={key => form.change({ key })}
      />
      {end !== undefined && (
        <p className={styles.hint}>{t('gifts.backThen', { time: momentText(end.time.toISOString()) })}</p>
      )}
      {receiver !== undefined && amount !== null && amount <= left && (
        <GiftSum window={window} currency={share.currency} receiver={receiver} amount={amount} />
      )}
      <div className={styles.actions}>
        <Button variant="subtle" color="gray" onClick={onDone}>
          {t('kit.cancel')}
        </Button>
        <Button type="submit" loading={form.pending} data-testid="gift-send">
          {t('gifts.send', { amount: amounts.full(unit, amount ?? 0) })}
        </Button>
      </div>
    </form>
  )
}

type Values = { to: number | null; amountText: string; key: string | null }

function useGiveForm({ share, window, onDone }: GiveFormProps) {
  const t = useTranslate()
  const client = useQueryClient()
  const amounts = useShareAmounts(share.currency)
  const { data: receivers } = useQuery(receiversQuery(share.upstream_id))
  const left = mineLeft(window)
  const [values, setValues] = useState<Values>({ to: null, amountText: '', key: null })
  const [now] = useState(() => new Date())
  const [wrong, setWrong] = useState(false)
  const [pending, setPending] = useState(false)
  const ends = giftEnds(window, now)
  const end = ends.find(({ key }) => key === values.key) ?? ends[1] ?? ends[0]
  const receiver = receivers?.find(({ user_id }) => user_id === values.to) ?? receivers?.[0]
  const amountText = values.amountText === '' ? firstAmount(window.unit, left) : values.amountText
  const amount = typedAmount(amountText, window.unit)

  async function give(): Promise<void> {
    if (amount === null || amount > left || end === undefined || receiver === undefined) return setWrong(true)
    setPending(true)
    try {
      await call(giveShare, {
        body: {
          ...{ upstream_id: share.upstream_id, user_id: receiver.user_id, amount },
          until: end.time.toISOString(),
        },
      })
      toast.success(t('gifts.sent', { amount: amounts.full(window.unit, amount), name: receiver.name }))
      onDone()
    } catch (error) {
      reportFailure(error)
      setPending(false)
    }
    refreshGifts(client)
  }

  return {
    ...{ receivers, receiver, ends, end, amount, amountText, left, wrong, pending },
    change: (change: Partial<Values>) => {
      setValues(before => ({ ...before, ...change }))
      setWrong(false)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (!pending) void give()
    },
  }
}
