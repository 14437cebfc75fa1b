import { Link } from '@tanstack/react-router'
import type { UpstreamLoad, UpstreamRead } from '#contract/upstreams.ts'
import { formatDate, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { UsageDots } from '#web/kit/Dots.tsx'
import { Emphasised } from '#web/kit/Note.tsx'
import { Ruler } from '#web/kit/Ruler.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { EntryButtons } from './EntryButtons.tsx'
import { expiryOf } from './state/expiry.ts'
import { Health } from './Health.tsx'
import type { Loads } from './state/queries.ts'
import { conditionOf } from './state/condition.ts'
import styles from './upstreams.module.css'
import type { UpstreamActions } from './state/useUpstreamActions.ts'
import { useUpstreamName } from './state/useUpstreamName.ts'

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
        <span className={styles.hint}>{hostOf(upstream.base_url) ?? t(`upstreams.kind.${upstream.source}`)}</span>
        <TokenEnd upstream={upstream} />
        <EntryButtons upstream={upstream} actions={actions} onEdit={onEdit} />
      </div>
      <div className={styles.facts}>
        <Health upstream={upstream} pausedBy={load?.paused_by?.nickname ?? null} ahead_ms={loads.ahead_ms} />
        {load !== undefined && <Answering load={load} />}
        {load !== undefined && <Used load={load} />}
        {load !== undefined && <Conversations id={upstream.id} count={load.conversations} />}
      </div>
    </li>
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
      <Ruler used={used} allowed={allowed} text={t('meter.used', { window_seconds, used, allowed })} />
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
