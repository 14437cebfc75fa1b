import { Link } from '@tanstack/react-router'
import type { UpstreamLoad, UpstreamRead } from '#contract/upstreams.ts'
import { agoText, formatDate, formatDateTime, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateAround, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { UsageDots } from '#web/kit/Dots.tsx'
import { Emphasised } from '#web/kit/Note.tsx'
import { UsageMeter } from '#web/kit/UsageMeter.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { type Condition, conditionOf, expiryOf, reasonOf, repairOf } from './state/condition.ts'
import { type Loads, refreshUpstreams, useUpstreamName } from './state/queries.ts'
import { useShares } from '#web/shares/queries.ts'
import { UsedWindows } from './UsedWindows.tsx'
import styles from './upstreams.module.css'
import type { UpstreamActions } from './state/useUpstreamActions.ts'
import { Button } from '@mantine/core'
import { useId } from 'react'
import { IconDots } from '#web/kit/icons.ts'
import { IconMenuButton } from '#web/kit/MenuButton.tsx'
import { countdownText, useCountdown, useMomentText } from '#web/foundation/moments.ts'
import { useCoolingModels } from '#web/conversations/sharedMeter/meterTexts.ts'

type UpstreamEntryProps = {
  upstream: UpstreamRead
  loads: Loads
  actions: UpstreamActions
  /** Whether it is open in the drawer. */
  isOpen: boolean
  /** `forKey`: in order to enter another key. */
  onEdit(forKey: boolean): void
}

/** One account or key in two lines: name and actions; then state, running asks, usage and conversations. */
export function UpstreamEntry({ upstream, loads, actions, isOpen, onEdit }: UpstreamEntryProps) {
  const t = useTranslate()
  const name = useUpstreamName()(upstream)
  const load = loads.of(upstream.id)
  const share = useShares()?.find(({ upstream_ids }) => upstream_ids.includes(upstream.id))
  const { state } = conditionOf(upstream)
  const isQuiet = state === 'paused' || state === 'off'
  return (
    <li
      className={styles.upstream}
      data-quiet={isQuiet || undefined}
      data-testid="admin-row"
      aria-label={name}
      aria-current={isOpen || undefined}
    >
      <div className={styles.title}>
        <b>{name}</b>
        <Tag>{t(`upstreams.tag.${upstream.source}`)}</Tag>
        <SharingTags upstream={upstream} />
        <span className={styles.hint}>{hostOf(upstream.base_url) ?? t(`upstreams.kind.${upstream.source}`)}</span>
        <TokenEnd upstream={upstream} />
        <EntryButtons upstream={upstream} actions={actions} onEdit={onEdit} />
      </div>
      <div className={styles.facts}>
        <Health upstream={upstream} pausedBy={load?.paused_by?.nickname ?? null} ahead_ms={loads.ahead_ms} />
        {load !== undefined && <Answering load={load} />}
        {load !== undefined && (share === undefined ? <Used load={load} /> : <UsedWindows share={share} />)}
        {load !== undefined && <Conversations id={upstream.id} count={load.conversations} />}
      </div>
    </li>
  )
}

/** That it has shares, and that the account says something of its windows that wants a yes. */
function SharingTags({ upstream: { sharing, windows, reported_windows } }: { upstream: UpstreamRead }) {
  const t = useTranslate()
  return (
    <>
      {sharing === 'shares' && windows.length > 0 && <Tag>{t('upstreams.tag.shares')}</Tag>}
      {reported_windows.some(({ pending_capacity }) => pending_capacity !== null) && (
        <span className={styles.warned}>{t('upstreams.tag.windowChanged')}</span>
      )}
    </>
  )
}

/** When the token ends, unless the state says so already. On a phone only if that is soon. */
function TokenEnd({ upstream }: { upstream: UpstreamRead }) {
  const t = useTranslate()
  const language = useLanguage()
  const now = useNow()
  const expiry = expiryOf(upstream, now)
  if (expiry === null || conditionOf(upstream, now).state === 'expiring') return null
  return (
    <span className={expiry.state === 'later' ? `${styles.hint} ${styles.wideOnly}` : styles.warned}>
      {t('upstreams.tokenUntil', { date: formatDate(new Date(expiry.time), language) })}
    </span>
  )
}

function hostOf(address: string | null): string | null {
  return address === null ? null : (URL.parse(address)?.host ?? null)
}

function Answering({ load: { running, places, waiting } }: { load: UpstreamLoad }) {
  const t = useTranslate()
  const dots = Array.from({ length: Math.max(places, running) }, (_, at) =>
    at < running ? ('busy' as const) : ('free' as const),
  )
  return (
    <div className={styles.answering}>
      <UsageDots dots={dots} />
      <span>
        {running} / {places}
      </span>
      <span className={styles.small}>
        {waiting === 0 ? t('upstreams.answering') : t('upstreams.answeringAndWaiting', { count: waiting })}
      </span>
    </div>
  )
}

function Used({ load: { used, allowed, window_seconds } }: { load: UpstreamLoad }) {
  const t = useTranslate()
  const around = useTranslateAround()
  if (allowed === null)
    return (
      <div className={styles.unlimited}>
        <span className={styles.hint}>{t('upstreams.usedWithoutLimit', { count: used, window_seconds })}</span>
      </div>
    )
  return (
    <div className={styles.used}>
      <UsageMeter used={used} allowed={allowed} text={t('meter.used', { window_seconds, used, allowed })} />
      <span aria-hidden="true">
        <Emphasised parts={around('upstreams.used', 'used', { used, allowed })} />{' '}
        <span className={styles.small}>{t('upstreams.usedIn', { window_seconds })}</span>
      </span>
    </div>
  )
}

/** Links to the conversations of the upstream. */
function Conversations({ id, count }: { id: number; count: number }) {
  const t = useTranslate()
  if (count === 0)
    return <div className={`${styles.conversations} ${styles.hint}`}>{t('upstreams.noConversations')}</div>
  return (
    <div className={styles.conversations}>
      {/* The router keeps a type for each route; that one takes what its list has. */}
      <Link to="/admin/conversation" search={{ upstream_id: String(id), state: 'valid' } as never}>
        {t('upstreams.conversations', { count })}
      </Link>
      <span className={styles.small}>{t('upstreams.liveHere')}</span>
    </div>
  )
}

type EntryButtonsProps = { upstream: UpstreamRead; actions: UpstreamActions; onEdit(forKey: boolean): void }

/** The repair, if one is needed, then the usual actions, which are a menu on a phone. */
function EntryButtons({ upstream, actions, onEdit }: EntryButtonsProps) {
  const t = useTranslate()
  const name = useUpstreamName()(upstream)
  const isPaused = upstream.paused_since !== null
  const id = useId()
  /** Pausing and resuming take the place of each other: the focus stays beside the button that is gone. */
  const held = (run: () => Promise<unknown>) => () => {
    document.getElementById(id)?.focus({ preventScroll: true })
    void run()
  }
  const entries = [
    { label: t('upstreams.test'), run: () => void actions.test(upstream) },
    { label: t('upstreams.edit'), run: () => onEdit(false) },
    ...(isPaused ? [] : [{ label: t('upstreams.pause'), run: held(() => actions.pause(upstream)) }]),
  ]
  return (
    <div id={id} tabIndex={-1} className={styles.buttons} role="group" aria-label={t('upstreams.actionsOf', { name })}>
      <Repair upstream={upstream} onEdit={onEdit} />
      {isPaused && (
        <Button variant="default" size="xs" data-testid="resume" onClick={held(() => actions.resume(upstream))}>
          {t('upstreams.resume')}
        </Button>
      )}
      {entries.map(({ label, run }, at) => (
        <Button
          key={label}
          className={styles.wideOnly}
          variant="subtle"
          color="gray"
          size="xs"
          loading={at === 0 && actions.isTested(upstream.id)}
          onClick={run}
        >
          {label}
        </Button>
      ))}
      <IconMenuButton label={t('upstreams.actionsOf', { name })} className={styles.menu} entries={entries}>
        <IconDots size={18} aria-hidden />
      </IconMenuButton>
    </div>
  )
}

/** Where key and address are changed: here, or in the settings of the source. */
function Repair({ upstream, onEdit }: Pick<EntryButtonsProps, 'upstream' | 'onEdit'>) {
  const t = useTranslate()
  const repair = repairOf(conditionOf(upstream))
  if (repair === null) return null
  const label = t(`upstreams.repair.${repair === 'key' && upstream.source === 'openai_web' ? 'token' : repair}`)
  if (upstream.locked.includes(repair === 'key' ? 'secret' : 'base_url'))
    return (
      <Button component={Link} to="/admin/config" variant="light" size="xs">
        {label}
      </Button>
    )
  return (
    <Button variant="light" size="xs" data-testid="repair" onClick={() => onEdit(repair === 'key')}>
      {label}
    </Button>
  )
}

type HealthProps = {
  upstream: UpstreamRead
  /** Who has paused it. */
  pausedBy: string | null
  ahead_ms: number
}

/** The state in a word, and its reason. */
function Health({ upstream, pausedBy, ahead_ms }: HealthProps) {
  const condition = conditionOf(upstream, useNow())
  const word = wordOf(condition)
  const coolingModels = useCoolingModels()(upstream.cooling_models)
  return (
    <div
      className={styles.health}
      data-state={word === 'expired' ? 'refused' : word === 'expiring' ? 'attention' : word}
    >
      <b>
        {condition.state === 'cooling' ? (
          <Cooling until={condition.until} ahead_ms={ahead_ms} />
        ) : (
          <Word state={word === 'cooling' ? 'normal' : word} />
        )}
      </b>
      <span className={styles.small}>
        <Why condition={condition} upstream={upstream} pausedBy={pausedBy} />
      </span>
      {coolingModels !== null && <span className={styles.small}>{coolingModels}</span>}
    </div>
  )
}

type WordKey = Condition['state'] | 'refused' | 'expired'

function wordOf(condition: Condition): WordKey {
  if (condition.state === 'expiring') return condition.isOver ? 'expired' : 'expiring'
  return condition.state === 'attention' && reasonOf(condition.message) === 'openai.401' ? 'refused' : condition.state
}

function Word({ state }: { state: Exclude<WordKey, 'cooling'> }) {
  return useTranslate()(`upstreams.state.${state}`)
}

/** Counts down, and fetches the state again at the end. */
function Cooling({ until, ahead_ms }: { until: string; ahead_ms: number }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const left = useCountdown(until, ahead_ms, () => void refreshUpstreams().catch(() => undefined))
  return t('upstreams.state.cooling', { left: countdownText(left) ?? momentText(until) })
}

type WhyProps = { condition: Condition; upstream: UpstreamRead; pausedBy: string | null }

function Why({ condition, upstream, pausedBy }: WhyProps) {
  const t = useTranslate()
  const say = useTranslateMessage()
  const language = useLanguage()
  const now = useNow()
  switch (condition.state) {
    case 'paused': {
      const date = formatDate(new Date(condition.since), language)
      return pausedBy === null
        ? t('upstreams.pausedSince', { date })
        : t('upstreams.pausedBy', { name: pausedBy, date })
    }
    case 'cooling':
    case 'attention': {
      const reason = reasonOf(condition.message)
      return reason === null
        ? condition.message === null
          ? ''
          : say(condition.message)
        : t(`upstreams.reason.${reason}`)
    }
    case 'expiring':
      return t(condition.isOver ? 'upstreams.tokenOver' : 'upstreams.tokenEnds', {
        time: formatDateTime(new Date(condition.time), language),
      })
    case 'off':
      return t('upstreams.offWhy')
    case 'normal':
      return upstream.last_tested === null
        ? t('upstreams.neverTested')
        : t('upstreams.tested', { ago: agoText(new Date(upstream.last_tested), now, t, language) })
  }
}
