import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Source } from '#contract/models.ts'
import { LimitRow } from '#web/admin/plans/values/LimitRow.tsx'
import { aLimit, identityOf, isLimitField, limitField, type LimitIdentity } from '#web/admin/plans/values/plans.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus } from '#web/kit/icons.ts'
import styles from './fields.module.css'
import type { ValueForm } from './valueForm.ts'

type LimitListProps = {
  form: ValueForm
  source: Source
  /** Which of the limits; default: all but those of one model. */
  fits?(identity: LimitIdentity): boolean
}

/** The limits of a source, each with whose it is; more can be added. */
export function LimitList({ form, source, fits = identity => !isOfOneModel(identity) }: LimitListProps) {
  const t = useTranslate()
  const rows = useLimitRows(form, identity => identity.source === source && fits(identity))
  return (
    <section aria-label={t('plans.limitsOf', { source: t(`sources.${source}`) })}>
      <h3 className={styles.heading}>
        {t('plans.limitsOf', { source: t(`sources.${source}`) })} <small>{t('plans.limits.help')}</small>
      </h3>
      {rows.names.map((name, at) => (
        // The place, so that a row keeps its focus while it becomes another limit.
        <ValueLimitRow key={at} form={form} name={name} onBecome={next => rows.become(name, next)} />
      ))}
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        className={styles.add}
        leftSection={<IconPlus size={14} aria-hidden />}
        data-testid={`add-limit-${source}`}
        onClick={() => rows.add(source)}
      >
        {t('plans.addLimit')}
      </Button>
    </section>
  )
}

/** Asks of one model: those stand beside the model. */
export const isOfOneModel = ({ unit, models }: LimitIdentity): boolean => unit === 'asks' && models?.length === 1

type ValueLimitRowProps = { form: ValueForm; name: string; onBecome(name: string): boolean; ofModel?: boolean }

export function ValueLimitRow({ form, name, onBecome, ofModel = false }: ValueLimitRowProps) {
  const { changes, inherited, stored } = form
  const above = inherited(name)
  const amountOf = (value: unknown) => (typeof value === 'number' ? value : null)
  return (
    <LimitRow
      ofModel={ofModel}
      state={{
        identity: identityOf(name),
        amount: amountOf(changes.values[name]),
        inherited: above === null ? null : { amount: Number(above.value), origin: above.origin },
        own: form.own(name),
        isChanged: changes.isChanged(name),
        before: amountOf(stored(name)),
      }}
      actions={{
        setAmount: amount => changes.change({ [name]: amount }),
        become: identity => onBecome(limitField(identity)),
        undo: () => changes.undo(name),
      }}
    />
  )
}

/** The names of limits in the order in which they stand; one that becomes another keeps its place. */
export function useLimitRows({ changes, limits, inherited }: ValueForm, fits: (identity: LimitIdentity) => boolean) {
  const [order, setOrder] = useState<readonly string[]>([])
  const known = [...limits, ...changes.changed.filter(isLimitField)].filter(name => fits(identityOf(name)))
  const names = [...new Set([...order.filter(name => known.includes(name)), ...known])]
  const holds = (name: string) => typeof changes.values[name] === 'number' || inherited(name) !== null
  return {
    names,
    become(from: string, to: string): boolean {
      if (from === to) return true
      if (holds(to)) return false
      setOrder(names.map(name => (name === from ? to : name)))
      changes.change({ [from]: null, [to]: changes.values[from] })
      return true
    },
    add(source: Source, more: Partial<LimitIdentity> = {}): void {
      const windows = (['week', 'day', 'month', 'ever'] as const).map(kind => ({ kind }))
      const units = ['asks', 'tokens'] as const
      const free = units
        .flatMap(unit => windows.map(window => aLimit(source, { unit, window, ...more })))
        .find(limit => !holds(limitField(limit)))
      if (free === undefined) return
      setOrder([...names, limitField(free)])
      changes.change({ [limitField(free)]: free.amount })
    },
  }
}
