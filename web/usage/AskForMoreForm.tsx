import { Button, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Source, SOURCES } from '#contract/models.ts'
import { isMoney, type LimitUnit } from '#contract/plans.ts'
import { MAX_REASON, type MyUsage, requestUsage } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Choice } from './Choice.tsx'
import { dayIn, endOfDay, endOfMonthOf, sundayOf } from './calendar.ts'
import { takeNotices } from './notices.ts'
import { refreshMyUsage } from './queries.ts'
import styles from './usage.module.css'

/** The limit that is used up, where the form is opened from one. */
export type AskedFor = { source: Source; unit: LimitUnit }

type FormProps = { usage: MyUsage; of?: AskedFor; onDone(): void }

const UNITS = ['asks', 'tokens', 'money'] as const
const ENDS = ['day', 'week', 'month'] as const
type End = (typeof ENDS)[number]

/** Asks the administrators for more: how much of what, until when, and why. */
export function AskForMoreForm({ usage, of, onDone }: FormProps) {
  const t = useTranslate()
  const form = useAskForMore({ usage, of, onDone })
  const { source, unit, amount, end, reason, wrong, pending, change, submit } = form
  return (
    <form className={styles.form} onSubmit={submit} data-testid="ask-for-more-form" noValidate>
      {form.sources.length > 1 && (
        <Choice
          label={t('usage.more.source')}
          options={form.sources.map(value => ({ value, label: t(`sources.${value}`) }))}
          value={source}
          onChoose={value => change({ source: value })}
        />
      )}
      {form.units.length > 1 && (
        <Choice
          label={t('usage.more.unit')}
          options={form.units.map(value => ({ value, label: t(`usage.unit.${value}`) }))}
          value={unit}
          onChoose={value => change({ unit: value })}
        />
      )}
      <TextInput
        label={t('usage.more.amount')}
        inputMode={unit === 'money' ? 'decimal' : 'numeric'}
        autoComplete="off"
        value={amount}
        error={wrong && t(unit === 'money' ? 'usage.more.wrong' : 'usage.more.whole')}
        rightSection={
          <span className={styles.unit}>{unit === 'money' ? usage.currency : t(`usage.unit.${unit}`)}</span>
        }
        rightSectionWidth="auto"
        rightSectionPointerEvents="none"
        onChange={event => change({ amount: event.currentTarget.value })}
      />
      <Choice
        label={t('usage.more.until')}
        options={ENDS.map(value => ({ value, label: t(`usage.more.${value}`) }))}
        value={end}
        onChoose={value => change({ end: value })}
      />
      <Textarea
        label={t('usage.more.reason')}
        description={t('usage.more.seen')}
        maxLength={MAX_REASON}
        autosize
        minRows={2}
        value={reason}
        onChange={event => change({ reason: event.currentTarget.value })}
      />
      <div className={styles.formActions}>
        <Button variant="subtle" color="gray" onClick={onDone}>
          {t('kit.cancel')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('usage.more.send')}
        </Button>
      </div>
    </form>
  )
}

type Values = { source: Source; unit: LimitUnit; amount: string; end: End; reason: string }

/** Only what has a limit can be asked for. */
function useAskForMore({ usage, of, onDone }: FormProps) {
  const t = useTranslate()
  const client = useQueryClient()
  const limits = of === undefined ? usage.limits : usage.limits.filter(({ source }) => source === of.source)
  const sources = SOURCES.filter(source => limits.some(limit => limit.source === source))
  const unitsOf = (source: Source | undefined) =>
    UNITS.filter(unit => limits.some(limit => limit.source === source && limit.unit === unit))
  const [values, setValues] = useState<Values>(() => ({
    source: of?.source ?? sources[0] ?? 'openai_api',
    unit: of?.unit ?? unitsOf(sources[0])[0] ?? 'asks',
    amount: '10',
    end: 'month',
    reason: '',
  }))
  const [wrong, setWrong] = useState(false)
  const [pending, setPending] = useState(false)
  const units = of === undefined ? unitsOf(values.source) : [of.unit]
  const unit = units.includes(values.unit) ? values.unit : (units[0] ?? 'asks')

  const send = async (amount: number) => {
    setPending(true)
    try {
      const today = dayIn(new Date(usage.now), usage.time_zone)
      const until = endOfDay(lastDay(values.end, today), usage.time_zone).toISOString()
      await call(requestUsage, { body: { source: values.source, unit, amount, until, reason: values.reason } })
      toast.success(t('usage.more.sent'))
      refreshMyUsage(client)
      void takeNotices(client)
      onDone()
    } catch (error) {
      reportFailure(error)
      setPending(false)
    }
  }
  return {
    ...values,
    unit,
    sources: of === undefined ? sources : [of.source],
    units,
    wrong,
    pending,
    change: (change: Partial<Values>) => {
      setValues(before => ({ ...before, ...change }))
      setWrong(false)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      const amount = amountOf(values.amount, unit)
      if (amount === null) setWrong(true)
      else if (!pending) void send(amount)
    },
  }
}

const lastDay = (end: End, today: string): string =>
  end === 'day' ? today : end === 'week' ? sundayOf(today) : endOfMonthOf(today)

const MAX_AMOUNT = 1_000_000_000

/** The number that was typed, with a comma or a full-width digit as well; null for what is none. */
function amountOf(text: string, unit: LimitUnit): number | null {
  const amount = Number(text.normalize('NFKC').trim().replace(',', '.'))
  if (text.trim() === '' || !(amount > 0) || amount > MAX_AMOUNT) return null
  return (unit === 'money' ? isMoney(amount) : Number.isInteger(amount)) ? amount : null
}
