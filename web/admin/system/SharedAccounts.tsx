import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Queue, type QueueAccount, type QueuedAsk, stopAsk } from '#contract/queue.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { accountFullness, returnSteps, rounded } from '#web/conversations/sharedMeter/account.ts'
import { useAccountName, useCoolingModels } from '#web/conversations/sharedMeter/meterTexts.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { clockText, formatDateTime, formatTimeOfDay, useNow } from '#web/foundation/times.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { UsageDots } from '#web/kit/Dots.tsx'
import { IconDots } from '#web/kit/icons.ts'
import { IconMenuButton } from '#web/kit/MenuButton.tsx'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { UsageMeter } from '#web/kit/UsageMeter.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { queueKey, upstreamHealthQuery } from './queries.ts'
import styles from './sharedAccounts.module.css'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { conditionOf } from '../upstreams/state/condition.ts'
import system from './system.module.css'

const AccountShare = lazyWithTexts('shares', () =>
  import('#web/shares/MyShares.tsx').then(module => module.AccountShare),
)

/** Each shared account with its usage, and its running and waiting asks. */
export function SharedAccounts({ queue }: { queue: Queue }) {
  return queue.accounts.map(account => (
    <section key={account.upstream_id} className={styles.account} data-testid="shared-account">
      <Load account={account} alone={queue.accounts.length === 1} />
      <Asks account={account} since={queue.now} />
    </section>
  ))
}

/** The left half: name, state, and what is used of its limit. */
function Load({ account, alone }: { account: QueueAccount; alone: boolean }) {
  const t = useTranslate()
  const name = useAccountName({ ...account, line: [] }, alone)
  const { places, pool } = account
  const coolingModels = useCoolingModels()(account.cooling_models)
  return (
    <div className={styles.load}>
      <div className={styles.accountHead}>
        <h2>
          <Link to="/admin/openai_settings" search={{ open: String(account.upstream_id) }}>
            {name}
          </Link>
        </h2>
        <StateTag account={account} />
        <span>{t('system.places', { count: places })}</span>
      </div>
      {coolingModels !== null && <p className={styles.hint}>{coolingModels}</p>}
      {pool === null ? (
        <LimitUse account={account} />
      ) : (
        <AccountShare pool={pool} name={name} onLoadError={() => undefined} />
      )}
    </div>
  )
}

/** What is used of the limit of an account that is first come, first served. */
function LimitUse({ account: { used, allowed, window_seconds, returns } }: { account: QueueAccount }) {
  const t = useTranslate()
  const steps = returnSteps(returns, formatTimeOfDay)
  const [first, last] = [steps[0], steps.at(-1)]
  return (
    <>
      <p className={styles.used}>
        {used.toLocaleString('en-US')}
        {allowed !== null && <small> / {allowed.toLocaleString('en-US')}</small>}
        <span>{t('system.askedWithin', { window_seconds })}</span>
      </p>
      {allowed !== null && (
        <UsageMeter used={used} allowed={allowed} text={t('meter.used', { window_seconds, used, allowed })} />
      )}
      {allowed !== null && first !== undefined && last !== undefined && (
        <p className={styles.hint}>
          {first === last
            ? t('system.returnsAll', { time: first.time })
            : t('system.returns', { time: first.time, last: last.time })}
        </p>
      )}
    </>
  )
}

/** What keeps it from answering comes first; that it will not do so for long, before nothing but that all is well. */
function StateTag({ account: { upstream_id, paused, cooling_until, used, allowed } }: { account: QueueAccount }) {
  const t = useTranslate()
  const stateOf = useUpstreamState()
  const momentText = useMomentText()
  const { data: upstreams = [] } = useQuery(upstreamHealthQuery)
  const upstream = upstreams.find(({ id }) => id === upstream_id)
  const { tone, word } =
    upstream === undefined ? ({ tone: 'green', word: t('meter.calm') } as const) : stateOf(upstream)
  if (paused) return <Tag>{t('system.state.paused')}</Tag>
  if (tone === 'red') return <Tag tone="red">{word}</Tag>
  if (cooling_until !== null)
    return <Tag tone="amber">{t('system.state.cooling', { time: momentText(cooling_until) })}</Tag>
  const fullness = accountFullness({ used, allowed })
  if (fullness === 'full') return <Tag tone="red">{t('meter.full')}</Tag>
  if (fullness === 'warm') return <Tag tone="amber">{t('meter.warm')}</Tag>
  return <Tag tone={tone}>{word}</Tag>
}

/** The right half: running and waiting asks. */
function Asks({ account, since }: { account: QueueAccount; since: string }) {
  const t = useTranslate()
  const { asks, running, waiting } = account
  const answered = asks.filter(({ state }) => state === 'asking').length
  const more = running + waiting - asks.length
  return (
    <div className={styles.asks}>
      {asks.length === 0 ? (
        <p className={styles.nobody}>
          <UsageDots dots={['free']} />
          {t('system.nobody')}
        </p>
      ) : (
        <ol aria-label={t('system.line')}>
          {asks.map((ask, at) => (
            <AskRow
              key={ask.ask_id}
              ask={ask}
              position={ask.state === 'asking' ? null : at - answered + 1}
              account={account}
              since={since}
            />
          ))}
        </ol>
      )}
      {more > 0 && <p className={styles.hint}>{t('meter.more', { count: more })}</p>}
    </div>
  )
}

type AskRowProps = { ask: QueuedAsk; position: number | null; account: QueueAccount; since: string }

function AskRow({ ask, position, account, since }: AskRowProps) {
  const t = useTranslate()
  const nameOf = useModelName()
  const passed = useNow(1000).getTime() - Date.parse(since)
  const seconds = (Date.parse(since) - Date.parse(ask.since) + Math.max(0, passed)) / 1000
  const name = ask.person.nickname
  return (
    <li className={styles.ask} data-testid="queued-ask">
      <UsageDots dots={[position === null ? 'busy' : 'waiting']} />
      <b>{name}</b>
      <span className={styles.what}>
        {t('system.asked', { title: ask.title ?? t('conversations.untitled'), model: nameOf(ask.model) })}
      </span>
      <span>{position === null ? t('meter.replying') : positionText(position)}</span>
      <span className={styles.passed}>{clockText(Math.max(0, Math.floor(seconds)))}</span>
      <AskMenu ask={ask} />
    </li>
  )

  function positionText(ahead: number): string {
    const { seconds_per_answer, places } = account
    if (seconds_per_answer === null || account.paused) return t('meter.place', { place: ahead })
    return t('meter.placeEstimate', {
      place: ahead,
      estimate_seconds: rounded((seconds_per_answer * ahead) / places),
    })
  }
}

function AskMenu({ ask: { ask_id, person, title, conversation_id } }: { ask: QueuedAsk }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const end = async () => {
    const name = person.nickname
    if (
      !(await confirm({
        title: t('system.end.title', { name }),
        text: t('system.end.text', { name }),
        verb: t('system.end.verb'),
        danger: true,
      }))
    )
      return
    try {
      const stopped = await call(stopAsk, { params: { id: ask_id } })
      toast.success(t(stopped ? 'system.end.done' : 'system.end.over', { name }))
    } catch (error) {
      reportFailure(error)
    } finally {
      await queries.invalidateQueries({ queryKey: queueKey })
    }
  }
  return (
    <IconMenuButton
      label={t('system.askMenu', { name: person.nickname })}
      className={styles.more}
      entries={[
        {
          label: t('system.openConversation'),
          run: () => window.open(`/conv/${conversation_id}`, '_blank', 'noopener'),
        },
        { label: t('system.end.verb'), danger: true, testid: 'end-ask', run: () => void end() },
      ]}
    >
      <IconDots size={16} aria-hidden />
      <span className="visually-hidden">{title}</span>
    </IconMenuButton>
  )
}

/** The state of each shared account and key. */
export function UpstreamHealth() {
  const t = useTranslate()
  const stateOf = useUpstreamState()
  const coolingModelsOf = useCoolingModels()
  const { data: upstreams = [] } = useQuery(upstreamHealthQuery)
  if (upstreams.length === 0) return null
  return (
    <section className={system.card}>
      <div className={system.cardHead}>
        <h2>{t('system.upstreams')}</h2>
        <Link to="/admin/openai_settings" className={system.aside}>
          {t('system.upstreams.manage')}
        </Link>
      </div>
      <ul className={system.rows}>
        {upstreams.map(upstream => {
          const { tone, word, reason } = stateOf(upstream)
          const coolingModels = coolingModelsOf(upstream.cooling_models)
          return (
            <li key={upstream.id} className={system.row}>
              <span className={system.rowName}>
                <b>
                  <Link to="/admin/openai_settings" search={{ open: String(upstream.id) }}>
                    {upstream.label === '' ? t(`sources.${upstream.source}`) : upstream.label}
                  </Link>
                </b>
                {reason !== null && (
                  <span className={system.failure} data-tone={tone}>
                    {reason}
                  </span>
                )}
                {coolingModels !== null && (
                  <span className={system.failure} data-tone="amber">
                    {coolingModels}
                  </span>
                )}
              </span>
              {/* The models of a web account are those of the settings. */}
              {upstream.source === 'openai_api' && (
                <span className={system.rowState}>
                  {t('system.offered', { count: upstream.models.filter(({ offered }) => offered).length })}
                </span>
              )}
              <Tag tone={tone}>{word}</Tag>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type State = { tone: 'plain' | 'green' | 'amber' | 'red'; word: string; reason: string | null }

/** How a shared account or key is, in a word, with the reason. */
function useUpstreamState(): (upstream: UpstreamRead) => State {
  const t = useTranslate()
  const say = useTranslateMessage()
  const language = useLanguage()
  const now = useNow()
  const said = (message: string | null) => (message === null ? null : say(message))
  return upstream => {
    const condition = conditionOf(upstream, now)
    switch (condition.state) {
      case 'off':
        return { tone: 'plain', word: t('system.source.off'), reason: null }
      case 'paused':
        return { tone: 'plain', word: t('system.state.paused'), reason: null }
      case 'expiring': {
        const [tone, word, reason] = condition.isOver
          ? (['red', 'system.state.expired', 'system.token.over'] as const)
          : (['amber', 'system.state.expiring', 'system.token.soon'] as const)
        return { tone, word: t(word), reason: t(reason, { time: formatDateTime(new Date(condition.time), language) }) }
      }
      case 'cooling': {
        const time = formatTimeOfDay(new Date(condition.until))
        return { tone: 'amber', word: t('system.state.cooling', { time }), reason: said(condition.message) }
      }
      case 'attention':
        return { tone: 'red', word: t('system.state.attention'), reason: said(condition.message) }
      case 'normal':
        return { tone: 'green', word: t('meter.calm'), reason: null }
    }
  }
}
