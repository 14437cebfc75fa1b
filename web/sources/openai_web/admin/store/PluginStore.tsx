import { NativeSelect, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { agoText, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { Pages } from '../../../../admin/table/Pager.tsx'
import { SearchField } from '../../../../admin/table/SearchField.tsx'
import { useListAddress } from '../../../../admin/table/useListAddress.ts'
import { useUpstreamName } from '#web/admin/upstreams/state/queries.ts'
import { PluginCard } from './PluginCard.tsx'
import styles from './store.module.css'
import { PAGE_SIZE, SHELVES, type StoreAddress, StoreFilters, type StorePage, useStorePage } from './storeQuery.ts'

/** The plugins of the web accounts, one account at a time. */
export function PluginStore({ accounts }: { accounts: readonly UpstreamRead[] }) {
  const t = useTranslate()
  const nameOf = useUpstreamName()
  const address: StoreAddress = useListAddress(StoreFilters)
  const account = accounts.find(({ id }) => String(id) === address.query.account) ?? accounts[0]
  if (account === undefined) return null
  return (
    <section className={styles.store} aria-labelledby="plugin-store" data-testid="plugin-store">
      <div className={styles.head}>
        <div>
          <h2 id="plugin-store">{t('upstreams.plugins')}</h2>
          <p>{t('upstreams.plugins.context', { name: nameOf(account) })}</p>
        </div>
        {accounts.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t('upstreams.plugins.account')}
            value={String(account.id)}
            data={accounts.map(each => ({ value: String(each.id), label: nameOf(each) }))}
            onChange={event => address.change({ account: event.currentTarget.value })}
          />
        )}
      </div>
      <Shelves account={account} address={address} />
    </section>
  )
}

function Shelves({ account, address }: { account: UpstreamRead; address: StoreAddress }) {
  const t = useTranslate()
  const store = useStorePage(account.id, address)
  return (
    <>
      <div className={styles.filters} role="search">
        <SegmentedControl
          aria-label={t('upstreams.plugins.shelf')}
          value={address.query.plugins ?? 'installed'}
          data={SHELVES.map(shelf => ({ value: shelf, label: t(`upstreams.plugins.shelf.${shelf}`) }))}
          onChange={shelf => address.change({ plugins: shelf === 'installed' ? undefined : shelf })}
        />
        <SearchField
          label={t('upstreams.plugins.search')}
          words={address.query.words ?? ''}
          onWords={words => address.change({ words: words === '' ? undefined : words })}
        />
        <span className={styles.count} role="status">
          {countText()}
        </span>
      </div>
      <Cards store={store} account={account} address={address} />
      {store.phase === 'shown' && <Foot store={store} account={account} address={address} />}
    </>
  )

  function countText(): string {
    if (store.phase !== 'shown') return ''
    if (store.installed !== null) return t('upstreams.plugins.count', { count: store.installed })
    const first = (store.page.number - 1) * PAGE_SIZE + 1
    return store.plugins.length === 0
      ? ''
      : t('table.range', { first, last: first + store.plugins.length - 1, total: store.total })
  }
}

type ShelfProps = { store: StorePage; account: UpstreamRead; address: StoreAddress }

function Cards({ store, account, address }: ShelfProps) {
  const t = useTranslate()
  const { plugins: shelf = 'installed', words = '' } = address.query
  if (store.error !== null)
    return (
      <NotLoaded title={t('upstreams.plugins.notRead')} error={store.error} busy={store.busy} onRetry={store.reload} />
    )
  if (store.phase === 'loading') return <div className={styles.loading} role="status" aria-label={t('table.loading')} />
  if (store.plugins.length > 0)
    return (
      <ul className={styles.cards} aria-busy={store.busy || undefined}>
        {store.plugins.map(plugin => (
          <PluginCard key={plugin.id} plugin={plugin} upstream_id={account.id} />
        ))}
      </ul>
    )
  if (words !== '')
    return (
      <p className={styles.none}>
        {t('table.noneWithWords', { words })}{' '}
        <button type="button" className={styles.link} onClick={() => address.change({ words: undefined })}>
          {t('table.showAll')}
        </button>
      </p>
    )
  if (shelf !== 'installed') return <p className={styles.none}>{t('upstreams.plugins.noneHere')}</p>
  return (
    <p className={styles.none}>
      {t('upstreams.plugins.noneInstalled')}{' '}
      <button type="button" className={styles.link} onClick={() => address.change({ plugins: 'most_popular' })}>
        {t('upstreams.plugins.toPopular')}
      </button>
    </p>
  )
}

function Foot({ store, account, address }: ShelfProps) {
  const t = useTranslate()
  const language = useLanguage()
  const nameOf = useUpstreamName()
  const now = useNow()
  const { read_time, page } = store
  return (
    <div className={styles.foot}>
      {read_time !== null && (
        <span>
          {t('upstreams.plugins.readFrom', {
            name: nameOf(account),
            ago: agoText(new Date(read_time), now, t, language),
          })}{' '}
          <button
            type="button"
            className={styles.link}
            disabled={store.busy}
            data-testid="read-plugins-again"
            onClick={() => store.readAgain().catch(reportFailure)}
          >
            {t('upstreams.plugins.readAgain')}
          </button>
        </span>
      )}
      {page.last > 1 && (
        <nav aria-label={t('table.pages')}>
          <Pages page={page} onPage={number => address.change({ page: number === 1 ? undefined : String(number) })} />
        </nav>
      )}
    </div>
  )
}
