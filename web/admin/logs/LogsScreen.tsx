import { Link } from '@tanstack/react-router'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { askForCompletions, Completions } from './Completions.tsx'
import styles from './logs.module.css'
import { ProxyLog } from './ProxyLog.tsx'
import { ServerLog } from './ServerLog.tsx'
import { TABS, useLogAddress } from './LogFilters.tsx'

export function askForRows(search: Readonly<Record<string, unknown>>): void {
  if (search.tab !== 'server' && search.tab !== 'proxy') askForCompletions(search)
}

/** Who asked what, what the portal wrote, and what the proxy in front of it wrote. */
export function LogsScreen() {
  const { tab = 'completions' } = useLogAddress().query
  if (tab === 'server') return <ServerLog tabs={<Tabs />} />
  return tab === 'proxy' ? <ProxyLog tabs={<Tabs />} /> : <Completions tabs={<Tabs />} />
}

/** The tabs. Each has entries of its own in the address, which switching drops. */
function Tabs() {
  const t = useTranslate()
  const { tab: open = 'completions' } = useLogAddress().query
  return (
    <nav className={styles.tabs} aria-label={t('logs.tabs')}>
      {TABS.map(tab => (
        <Link
          key={tab}
          to="."
          // The router keeps a type for each route; this one takes what any page of the area has.
          search={(tab === 'completions' ? {} : { tab }) as never}
          aria-current={tab === open ? 'page' : undefined}
          // The page has more in its address than its tab.
          activeOptions={{ exact: true, includeSearch: true }}
          data-testid={`logs-${tab}`}
        >
          {t(`logs.${tab}`)}
        </Link>
      ))}
    </nav>
  )
}
