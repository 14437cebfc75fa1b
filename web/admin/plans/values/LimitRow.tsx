import { NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useState } from 'react'
import { UNLIMITED } from '#contract/limits.ts'
import type { LimitWindow, ValueOrigin } from '#contract/plans.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconX } from '#web/kit/icons.ts'
import { useLimitTexts } from './limitTexts.ts'
import { Origin } from './Origin.tsx'
import type { LimitIdentity } from './plans.ts'
import { AmountInput, UNITS, WINDOW_KINDS, windowOfKind, WindowLength } from './windowFields.tsx'
import styles from './values.module.css'

export type LimitState = {
  identity: LimitIdentity
  /** Null: inherited, or none. */
  amount: number | null
  inherited: { amount: number; origin: ValueOrigin } | null
  /** How a value of the plan's or person's own is called. */
  own: string
  isChanged: boolean
  /** Before an unsaved change; null: inherited or none. */
  before: number | null
}

export type LimitActions = {
  setAmount(amount: number | null): void
  /** False where there is such a limit already. */
  become(identity: LimitIdentity): boolean
  undo(): void
}

type LimitRowProps = {
  state: LimitState
  actions: LimitActions
  /** Unit and models are said elsewhere. */ ofModel?: boolean
}

/** One limit: number, unit and window, whose it is and the way back. */
export function LimitRow({ state, actions, ofModel = false }: LimitRowProps) {
  const t = useTranslate()
  const texts = useLimitTexts()
  const { identity, amount, inherited, isChanged } = state
  const [isTwice, setTwice] = useState(false)
  const become = (change: Partial<LimitIdentity>) => setTwice(!actions.become({ ...identity, ...change }))
  if (amount === null && inherited === null) return <GoneLimit state={state} onUndo={actions.undo} />
  const isInherited = amount === null
  const name = texts.limitText(identity, amount ?? inherited?.amount ?? UNLIMITED)
  return (
    <div
      className={isInherited ? `${styles.limit} ${styles.inherited}` : styles.limit}
      role="group"
      aria-label={name}
      data-changed={isChanged || undefined}
      data-testid="plan-limit"
    >
      <div className={styles.line}>
        <AmountInput
          amount={amount ?? inherited?.amount ?? UNLIMITED}
          unit={identity.unit}
          onChange={actions.setAmount}
        />
        <NativeSelect
          size="xs"
          aria-label={t('plans.unit')}
          disabled={isInherited || ofModel}
          value={identity.unit}
          data={UNITS.filter(unit => unit !== 'money' || identity.source === 'openai_api').map(value => ({
            value,
            label: value === 'money' ? texts.currency : t(`plans.unit.${value}`),
          }))}
          onChange={event => become({ unit: UNITS.find(each => each === event.currentTarget.value) ?? 'asks' })}
        />
        <NativeSelect
          size="xs"
          aria-label={t('plans.window')}
          disabled={isInherited}
          value={identity.window.kind}
          data={WINDOW_KINDS.map(value => ({ value, label: windowLabel(value) }))}
          onChange={event => become({ window: windowOfKind(event.currentTarget.value) })}
        />
        <IconButton
          size={28}
          label={t('plans.removeLimit')}
          onClick={() => actions.setAmount(isInherited ? UNLIMITED : null)}
        >
          <IconX size={14} aria-hidden />
        </IconButton>
      </div>
      {'seconds' in identity.window && (
        <WindowLength window={identity.window} disabled={isInherited} onChange={window => become({ window })} />
      )}
      {isTwice && <p className={styles.wrong}>{t('plans.limitTwice')}</p>}
      <LimitOrigin state={state} actions={actions} />
    </div>
  )

  function windowLabel(kind: LimitWindow['kind']): string {
    if (isInherited && kind === identity.window.kind) return texts.windowText(identity.window)
    return t(`plans.window.${kind}`)
  }
}

function LimitOrigin({ state: { identity, amount, inherited, own, isChanged, before }, actions }: LimitRowProps) {
  const t = useTranslate()
  const { amountText } = useLimitTexts()
  const textOf = (value: number | null | undefined) =>
    value === null || value === undefined ? t('plans.none') : amountText(identity.unit, value)
  return (
    <Origin
      inherited={inherited === null ? null : { text: textOf(inherited.amount), origin: inherited.origin }}
      own={amount === null ? null : own}
      change={isChanged ? { before: textOf(before ?? inherited?.amount), onUndo: actions.undo } : undefined}
      onInherit={() => actions.setAmount(null)}
    />
  )
}

/** One that will be gone with the next save. */
function GoneLimit({ state: { identity, before }, onUndo }: { state: LimitState; onUndo(): void }) {
  const { limitText } = useLimitTexts()
  const t = useTranslate()
  const text = limitText(identity, before ?? UNLIMITED)
  return (
    <div className={`${styles.limit} ${styles.gone}`} data-changed data-testid="plan-limit">
      <span>{t('plans.limitGone')}</span>
      <Origin inherited={null} own={null} change={{ before: text, onUndo }} />
    </div>
  )
}
