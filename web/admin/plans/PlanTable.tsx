import type { ReactNode } from 'react'
import { UNLIMITED } from '#contract/limits.ts'
import { SOURCES } from '#contract/models.ts'
import type { LimitInForce, Plan, ValueOrigin } from '#contract/plans.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DRAWER } from '../drawer/Drawer.tsx'
import styles from './plans.module.css'
import { useLimitTexts } from './values/limitTexts.ts'
import { usePlanName } from './values/Origin.tsx'
import type { PlanAt } from './values/plans.ts'
import { useValueText } from './fields/valueText.ts'

type PlanTableProps = { plans: readonly PlanAt[]; opened: string | null; onOpen(id: number): void }

/** The tree: a dot is a value of the plan's own, grey is inherited. */
export function PlanTable({ plans, opened, onOpen }: PlanTableProps) {
  const t = useTranslate()
  return (
    <table className={styles.tree} aria-label={t('admin.plan')} data-testid="admin-table">
      <thead>
        <tr>
          <th scope="col">{t('admin.plan')}</th>
          <th scope="col" className={styles.number}>
            {t('plans.column.people')}
          </th>
          {(['share', 'limits', 'models', 'keys', 'kept'] as const).map(column => (
            <th key={column} scope="col">
              {t(`plans.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {plans.map(at => (
          <PlanRow key={at.plan.id} at={at} isOpen={opened === String(at.plan.id)} onOpen={() => onOpen(at.plan.id)} />
        ))}
      </tbody>
    </table>
  )
}

function PlanRow({ at: { plan, depth }, isOpen, onOpen }: { at: PlanAt; isOpen: boolean; onOpen(): void }) {
  const t = useTranslate()
  const valueText = useValueText()
  const { share_weight, max_keys, retention_days } = plan.in_force
  const own = (origin: ValueOrigin) => isOf(plan, origin)
  return (
    // The button in it is for keyboards; a click anywhere opens it, too.
    <tr data-testid="plan-row" data-key={plan.id} aria-current={isOpen || undefined} onClick={onOpen}>
      <td>
        <PlanName at={{ plan, depth }} isOpen={isOpen} onOpen={onOpen} />
      </td>
      <td className={styles.number}>{plan.people}</td>
      <td>
        <Value isOwn={own(share_weight.origin)}>{t('plans.count.shares', { count: share_weight.value })}</Value>
      </td>
      <td>
        <Limits plan={plan} />
      </td>
      <td>
        <Models plan={plan} />
      </td>
      <td>
        <Value isOwn={own(max_keys.origin)}>
          {max_keys.value === 0 ? t('plans.no') : t('plans.count.keys', { count: max_keys.value })}
        </Value>
      </td>
      <td>
        <Value isOwn={own(retention_days.origin)}>{valueText('retention_days', retention_days.value)}</Value>
      </td>
    </tr>
  )
}

function PlanName({ at: { plan, depth }, isOpen, onOpen }: { at: PlanAt; isOpen: boolean; onOpen(): void }) {
  const planName = usePlanName()
  return (
    <span className={styles.name} data-depth={Math.min(depth, 6)}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? DRAWER : undefined}
        onClick={event => {
          event.stopPropagation()
          onOpen()
        }}
      >
        {planName(plan)}
      </button>
    </span>
  )
}

/** The default plan inherits from nobody: what it has without having been given it is grey, too. */
const isOf = (plan: Plan, origin: ValueOrigin): boolean =>
  plan.parent_id !== null && origin.from === 'plan' && origin.plan_id === plan.id

function Value({ isOwn, children }: { isOwn: boolean; children: ReactNode }) {
  const t = useTranslate()
  return (
    <span className={isOwn ? styles.own : styles.inherited}>
      {isOwn && <span className="visually-hidden">{t('plans.own')} </span>}
      {children}
    </span>
  )
}

/** The first limit, those of the plan's own before the others, and how many more there are. */
function Limits({ plan }: { plan: Plan }) {
  const t = useTranslate()
  const planName = usePlanName()
  const { limitText } = useLimitTexts()
  const limits = plan.in_force.limits.filter(({ amount }) => amount !== UNLIMITED)
  const own = limits.filter(({ origin }) => isOf(plan, origin))
  const first: LimitInForce | undefined = own[0] ?? limits[0]
  if (first === undefined) return <Value isOwn={false}>{t('plans.noLimits')}</Value>
  if (own.length === 0 && first.origin.from === 'plan' && first.origin.plan_id !== plan.id)
    return <Value isOwn={false}>{t('plans.asPlan', { plan: planName(first.origin) })}</Value>
  const text = limitText(first, first.amount)
  return (
    <Value isOwn={own.length > 0}>
      {limits.length === 1 ? text : t('plans.andMore', { limit: text, count: limits.length - 1 })}
    </Value>
  )
}

function Models({ plan }: { plan: Plan }) {
  const t = useTranslate()
  const portal = usePortal()
  const isOn = (source: string) => portal?.sources.some(each => each.source === source && each.enabled) === true
  const lists = SOURCES.filter(source => isOn(source) && plan.in_force[source].allow_to_use.value).map(source => {
    const { value, origin } = plan.in_force[source].available_models
    const enabled = portal?.models.filter(each => each.source === source).map(({ code }) => code) ?? []
    return { count: enabled.filter(code => value.includes('*') || value.includes(code)).length, origin }
  })
  return (
    <Value isOwn={lists.some(({ origin }) => isOf(plan, origin))}>
      {t('plans.models.count', { count: lists.reduce((sum, { count }) => sum + count, 0) })}
    </Value>
  )
}
