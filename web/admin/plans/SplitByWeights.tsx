import { useQuery } from '@tanstack/react-query'
import type { Plan } from '#contract/plans.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { upstreamsQuery } from '#web/admin/upstreams/state/queries.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useLimitTexts } from './values/limitTexts.ts'
import { usePlanName } from './values/Origin.tsx'
import { type PlanPart, type Split, splitOf } from './values/split.ts'
import styles from './split.module.css'

/** How each account that is shared by weights is divided among the plans. Nothing where none is. */
export function SplitByWeights({ plans }: { plans: readonly Plan[] }) {
  const { data = [] } = useQuery(upstreamsQuery)
  // Accounts of a pool have the windows of the first one.
  const pools = data.filter(({ pool }, at) => pool === null || data.findIndex(other => other.pool === pool) === at)
  return pools.map(upstream => {
    const split = splitOf(upstream, plans)
    return split && <AccountSplit key={upstream.id} upstream={upstream} split={split} />
  })
}

function AccountSplit({ upstream, split }: { upstream: UpstreamRead; split: Split }) {
  const t = useTranslate()
  const { amountText, windowText } = useLimitTexts()
  const { window, parts, reserve } = split
  const amount = (value: number) => amountText(window.unit, value)
  return (
    <section className={styles.split} data-testid="split">
      <h2>{t('plans.split.title', { name: upstream.label ?? '', window: windowText(window.window) })}</h2>
      <p>{t('plans.split.note')}</p>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(part => (
          <span key={part.plan.id} style={{ flexGrow: part.people * part.each }}>
            <People part={part} />
          </span>
        ))}
        {reserve > 0 && (
          <span style={{ flexGrow: reserve }}>
            <i className={styles.kept} />
          </span>
        )}
      </div>
      <ul>
        {parts.map(part => (
          <PartText key={part.plan.id} part={part} amount={amount(Math.floor(part.each))} />
        ))}
        {reserve > 0 && (
          <li style={{ flexGrow: reserve }}>
            <b>{t('plans.split.reserve')}</b> {amount(reserve)}
          </li>
        )}
      </ul>
    </section>
  )
}

/** A piece for each person, as long as there is room for them. */
const MAX_PIECES = 12

function People({ part: { people } }: { part: PlanPart }) {
  const pieces = people > MAX_PIECES ? 1 : people
  return Array.from({ length: pieces }, (_piece, at) => <i key={at} />)
}

function PartText({ part: { plan, people, each }, amount }: { part: PlanPart; amount: string }) {
  const t = useTranslate()
  const planName = usePlanName()
  return (
    <li style={{ flexGrow: people * each }}>
      <b>{planName(plan)}</b> {t('plans.split.part', { people, amount })}
    </li>
  )
}
