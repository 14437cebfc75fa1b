import { useTranslate } from '#web/i18n/useTranslate.ts'
import { askForCompletions, Completions } from './Completions.tsx'
import styles from './logs.module.css'
import { ServerLog } from './ServerLog.tsx'
import { LogFilters, TABS, useLogAddress, USUAL_LINES, wordsIn } from './LogFilters.tsx'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { listLogFiles, type LogFiles, readProxyLogLines } from '#contract/logFiles.ts'
import { PageHead } from '../shell/Page.tsx'
import { ScreenTabs } from '../shell/ScreenTabs.tsx'
import { call } from '#web/foundation/call.ts'
import { Illustration } from '#web/kit/Illustration.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { TerminalLines } from '#web/kit/TerminalLines.tsx'
import { LogState } from './LogState.tsx'
import { LogView } from './LogView.tsx'
import { useFollowedLog } from './useFollowedLog.ts'

const AuditLog = lazyWithTexts('audit', () => import('./AuditLog.tsx').then(module => module.AuditLog))
const OversightLog = lazyWithTexts('audit', () => import('./OversightLog.tsx').then(module => module.OversightLog))

export function askForRows(search: Readonly<Record<string, unknown>>): void {
  if (search.tab === undefined || search.tab === 'completions') askForCompletions(search)
}

/** Who asked what, what was written by the portal and the proxy in front of it, what was changed, and who read whom. */
export function LogsScreen() {
  const { tab = 'completions' } = useLogAddress().query
  if (tab === 'server') return <ServerLog tabs={<Tabs />} />
  if (tab === 'audit') return <AuditLog tabs={<Tabs />} onLoadError={nothing} />
  if (tab === 'oversight') return <OversightLog tabs={<Tabs />} onLoadError={nothing} />
  return tab === 'proxy' ? <ProxyLog tabs={<Tabs />} /> : <Completions tabs={<Tabs />} />
}

function Tabs() {
  const t = useTranslate()
  const { tab = 'completions' } = useLogAddress().query
  const tabs = TABS.map(name => ({ name, text: t(`logs.${name}`), testid: `logs-${name}` }))
  return <ScreenTabs label={t('logs.tabs')} tabs={tabs} open={tab} />
}

type Proxy = LogFiles['proxy']

/** Milliseconds between two fetches while there is no log: it may be being set up. */
const LOOK_EVERY = 15_000

/** The log of the reverse proxy, or how to set it up. */
function ProxyLog({ tabs }: { tabs: ReactNode }) {
  const t = useTranslate()
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', listLogFiles.path, 'proxy'],
    queryFn: async ({ signal }) => (await call(listLogFiles, {}, { signal })).proxy,
    refetchInterval: LOOK_EVERY,
    meta: { quiet: 'whileEmpty' },
  })
  return (
    <div className={styles.screen}>
      <PageHead title={t('admin.log')} context={data === undefined ? '\u00a0' : contextOf(data, t)} />
      {tabs}
      {data === undefined && error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data?.state === 'ready' && <ProxyLines />}
      {data !== undefined && data.state !== 'ready' && <NoLog state={data.state} path={data.path ?? ''} />}
    </div>
  )
}

function contextOf({ state, path, bytes }: Proxy, t: ReturnType<typeof useTranslate>): string {
  return state === 'ready' && path !== null && bytes !== null
    ? `${t('logs.proxy.context', { path, size_bytes: bytes })} · ${t('logs.proxy.masked')}`
    : '\u00a0'
}

function ProxyLines() {
  const address = useLogAddress()
  const [isFollowing, setFollowing] = useState(true)
  const most = Number(address.query.lines ?? USUAL_LINES)
  const question = { exclude_keywords: wordsIn(address.query.without), max_lines: most }
  const log = useFollowedLog({
    question: { proxy: true, ...question },
    most,
    isFollowing,
    read: (after, signal) => call(readProxyLogLines, { body: { ...question, after } }, { signal }),
  })
  return (
    <>
      <LogFilters address={address} isFollowing={isFollowing} onFollow={setFollowing} />
      <div className={styles.well}>
        <LogView log={log} actions={{ isFollowing, unfollow: () => setFollowing(false), lit: null, light: nothing }} />
        <LogState log={log} isFollowing={isFollowing} />
      </div>
    </>
  )
}

/** These lines have no request. */
const nothing = (): void => undefined

const CADDY = 'log {\n\toutput file /var/log/caddy/access.log\n}'
const NGINX = 'access_log /var/log/nginx/access.log;'
const DOCKER = 'volumes: ["/var/log/caddy:/proxy-logs:ro"]'
const SETTING = 'COMMONS_LOG_PROXY_LOG_FILE=/proxy-logs/access.log'

/** Why there is no log, and how to change that. */
function NoLog({ state, path }: { state: Exclude<Proxy['state'], 'ready'>; path: string }) {
  const t = useTranslate()
  return (
    <div className={styles.none}>
      <Illustration lit={false} />
      <h2>{t(`logs.proxy.${state}`)}</h2>
      <p>{state === 'notSet' ? t('logs.proxy.notSet.why') : t(`logs.proxy.${state}.why`, { path })}</p>
      <ol className={styles.how}>
        <li>
          <p>{t('logs.proxy.write')}</p>
          <TerminalLines text={CADDY} />
          <p>{t('logs.proxy.writeNginx')}</p>
          <TerminalLines text={NGINX} />
        </li>
        <li>
          <p>{t('logs.proxy.mount')}</p>
          <TerminalLines text={DOCKER} />
        </li>
        <li>
          <p>{t('logs.proxy.name')}</p>
          <TerminalLines text={SETTING} />
        </li>
      </ol>
    </div>
  )
}
