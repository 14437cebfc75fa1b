import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Source } from '#contract/models.ts'
import type { LimitUnit } from '#contract/plans.ts'
import type { Share } from '#contract/shares.ts'
import type { MyUsage } from '#contract/usage.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { openShareDialog } from './gifts/shareDialog.ts'
import { ownAt, refusingWindow } from './nextAsk.ts'
import { useShare, useShares } from './queries.ts'
import { useShareAmounts } from './shareTexts.ts'
import { useAmounts } from '#web/usage/amounts.ts'
import { useMyUsage } from '#web/usage/queries.ts'
import { NoticeOffer } from '#web/notices/lazyNotices.ts'
import { mayOffer } from '#web/notices/device.ts'
import { forgetReminder, remindAt, useReminder } from '#web/usage/reminder.ts'
import styles from './ways.module.css'

const AskForMoreDialog = lazyWithTexts('usage', () =>
  import('#web/usage/AskForMoreDialog.tsx').then(module => module.AskForMoreDialog),
)

type WaysProps = {
  source: Source
  model: string
  /**
   * What may be asked more of: what of the limit is used up, or the account by its id of which everybody has a part;
   * null where nobody can give more.
   */
  more: LimitUnit | number | null
  /** Another model that may be asked now. */
  alternative: { model: string; onChoose(): void } | null
  /** When it may be asked again, by the clock of the server, which is `ahead_ms` ahead of this device's. */
  wait: { opens_at: string; ahead_ms: number } | null
}

/**
 * What can be done where a limit is used up: ask another model, wait, ask for more. A way that there is not is left
 * out. The draft stays, and nothing is sent by itself.
 */
export function Ways({ source, model, more, alternative, wait }: WaysProps) {
  const t = useTranslate()
  const { data: usage } = useMyUsage()
  const unit = usage?.limits.find(limit => limit.source === source && limit.unit === more)?.unit
  const isFirst = alternative === null && wait === null
  if (isFirst && unit === undefined && typeof more !== 'number') return null
  return (
    <ul className={styles.ways} aria-label={t('usage.way.label')} data-testid="ways">
      {alternative !== null && <OtherModel source={source} usage={usage} {...alternative} />}
      {wait !== null && <Waiting source={source} model={model} isFirst={alternative === null} {...wait} />}
      {wait !== null && <Offer opens_at={wait.opens_at} />}
      {unit !== undefined && <More source={source} unit={unit} usage={usage} isFirst={isFirst} />}
      {typeof more === 'number' && <MoreOfAccount upstream_id={more} usage={usage} isFirst={isFirst} />}
    </ul>
  )
}

type WayProps = { title: string; text: string; children: ReactNode }

function Way({ title, text, children }: WayProps) {
  return (
    <li>
      <p>
        <b>{title}</b>
        <span>{text}</span>
      </p>
      {children}
    </li>
  )
}

type OtherModelProps = { source: Source; usage: MyUsage | undefined; model: string; onChoose(): void }

/** With what an ask of it cost this person on average in three months, and what money is left for it. */
function OtherModel({ source, usage, model, onChoose }: OtherModelProps) {
  const t = useTranslate()
  const nameOf = useModelName()
  const amounts = useAmounts(usage?.currency ?? 'USD')
  const cost = usage === undefined ? null : averageCost(usage, source, model)
  const of = t(`sources.${source}`)
  const text =
    cost === null
      ? t('usage.way.modelNow', { source: of })
      : t('usage.way.modelCost', { source: of, money: amounts.money(cost) })
  const left = usage?.limits.find(limit => limit.source === source && limit.unit === 'money' && limit.left > 0)?.left
  return (
    <Way
      title={t('usage.way.model', { model: nameOf(model) })}
      text={
        left === undefined || cost === null ? text : t('usage.way.modelLeft', { text, amount: amounts.money(left) })
      }
    >
      <Button size="xs" data-testid="way-model" onClick={onChoose}>
        {t('usage.way.modelVerb')}
      </Button>
    </Way>
  )
}

/** Null where nothing was asked of it that cost anything. */
function averageCost({ rows }: MyUsage, source: Source, model: string): number | null {
  const of = rows.filter(row => row.source === source && row.model === model)
  const [asks, money] = [of.reduce((sum, row) => sum + row.asks, 0), of.reduce((sum, row) => sum + row.money, 0)]
  return money === 0 ? null : money / asks
}

type WaitingProps = { source: Source; model: string; opens_at: string; ahead_ms: number; isFirst: boolean }

/** The moment; who wants to is reminded of it. */
function Waiting({ source, model, opens_at, ahead_ms, isFirst }: WaitingProps) {
  const t = useTranslate()
  const nameOf = useModelName()
  const momentText = useMomentText()
  const reminds = useReminder(({ moment }) => moment === opens_at)
  const comesBack = useComesBack(source, model, opens_at)
  const time = momentText(opens_at)
  const costs = comesBack === null ? t('usage.way.waitText') : t('shares.way.wait', { amount: comesBack })
  return (
    <Way title={t('usage.way.wait', { time })} text={reminds ? t('usage.way.reminds', { time }) : costs}>
      <Button
        size="xs"
        variant={reminds ? 'subtle' : isFirst ? 'filled' : 'default'}
        color={reminds ? 'gray' : undefined}
        data-testid="way-wait"
        aria-pressed={reminds}
        onClick={() =>
          reminds ? forgetReminder() : remindAt({ moment: opens_at, ahead_ms, source, model, label: nameOf(model) })
        }
      >
        {t(reminds ? 'usage.way.noReminder' : 'usage.way.remind')}
      </Button>
    </Way>
  )
}

/** How much of one's share is there again at that moment, in words. */
function useComesBack(source: Source, model: string, opens_at: string): string | null {
  const refusing = refusingWindow(useShares() ?? [], source, model)
  const { short } = useShareAmounts(refusing?.share.currency ?? '')
  const amount = refusing === undefined ? null : ownAt(refusing.window, opens_at)
  return refusing === undefined || amount === null ? null : short(refusing.window.unit, amount)
}

/** Whoever wants to be reminded may want to be told with the page closed. */
function Offer({ opens_at }: { opens_at: string }) {
  const reminds = useReminder(({ moment }) => moment === opens_at)
  if (!reminds || !mayOffer()) return null
  return (
    <li className={styles.offer}>
      <NoticeOffer wait_seconds={null} needed={false} onLoadError={ignore} />
    </li>
  )
}

const ignore = () => undefined

type MoreProps = { source: Source; unit: LimitUnit; usage: MyUsage | undefined; isFirst: boolean }

function More({ source, unit, usage, isFirst }: MoreProps) {
  const t = useTranslate()
  const [asking, setAsking] = useState(false)
  const isOpen =
    usage?.requests.some(request => request.upstream === null && request.source === source && request.unit === unit) ===
    true
  const close = () => setAsking(false)
  return (
    <Way title={t('usage.way.more')} text={t(isOpen ? 'usage.way.moreOpen' : 'usage.way.moreText')}>
      {!isOpen && (
        <Button
          size="xs"
          variant={isFirst ? 'filled' : 'default'}
          data-testid="way-more"
          onClick={() => setAsking(true)}
        >
          {t('usage.way.moreVerb')}
        </Button>
      )}
      {asking && <AskForMoreDialog of={{ source, unit }} onClose={close} onLoadError={close} />}
    </Way>
  )
}

type MoreOfAccountProps = { upstream_id: number; usage: MyUsage | undefined; isFirst: boolean }

/** Of an account that is shared: from its owner, or else the administrators. Its owner asks nobody. */
function MoreOfAccount({ upstream_id, usage, isFirst }: MoreOfAccountProps) {
  const t = useTranslate()
  const share = useShare(upstream_id)
  if (share === undefined || share.sharing !== 'shares' || share.is_owner) return null
  const owner = ownerIn(share)
  const isOpen = usage?.requests.some(({ upstream }) => upstream !== null && share.upstream_ids.includes(upstream.id))
  const text =
    owner === null
      ? t(isOpen ? 'usage.way.moreOpen' : 'usage.way.moreText')
      : t(isOpen ? 'usage.way.moreOpenOf' : 'usage.way.moreTextOf', { owner })
  return (
    <Way title={t('usage.way.more')} text={text}>
      {!isOpen && (
        <Button
          size="xs"
          variant={isFirst ? 'filled' : 'default'}
          data-testid="way-more"
          onClick={() => openShareDialog({ kind: 'ask', upstream_id })}
        >
          {t('usage.way.moreVerb')}
        </Button>
      )}
    </Way>
  )
}

const ownerIn = ({ windows }: Share): string | null =>
  windows.flatMap(({ people }) => people).find(({ is_owner }) => is_owner)?.name ?? null
