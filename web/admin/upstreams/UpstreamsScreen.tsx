import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { everyAdminSlots } from '#web/sources/list/adminSlots.ts'
import { PageHead } from '../shell/Page.tsx'
import { ListLayout } from '../table/ListLayout.tsx'
import { useListAddress } from '../table/useListAddress.ts'
import { NewUpstreamDrawer } from './edit/NewUpstreamDrawer.tsx'
import { UpstreamDrawer } from './edit/UpstreamDrawer.tsx'
import { type Loads, upstreamsQuery, useLoads, useUpstreams } from './state/queries.ts'
import { canAnswer, isSetUp } from './state/condition.ts'
import { UpstreamEntry } from './UpstreamEntry.tsx'
import styles from './upstreams.module.css'
import { type UpstreamActions, useUpstreamActions } from './state/useUpstreamActions.ts'
import { Illustration } from '#web/kit/Illustration.tsx'
import { TerminalLines } from '#web/kit/TerminalLines.tsx'

/** The list has no filters: only the open entry is kept in the address. */
const NO_FILTERS = z.object({})
/** The `open` of the address while an upstream is added. */
const NEW = 'new'

/** The shared accounts and keys: their state, conversations and models. */
export function UpstreamsScreen() {
  const t = useTranslate()
  const address = useListAddress(NO_FILTERS)
  const loads = useLoads()
  const actions = useUpstreamActions()
  const [asksForKey, setAsksForKey] = useState(false)
  const upstreams = useUpstreams()?.filter(isSetUp)
  const testable = upstreams ?? []
  const open = (key: string | null, forKey = false) => {
    setAsksForKey(forKey)
    address.open(key)
  }
  return (
    <ListLayout
      head={
        <PageHead title={t('admin.openai_settings')} context={<Context upstreams={upstreams} />}>
          {testable.length > 0 && (
            <Button
              variant="default"
              size="xs"
              className={styles.headButton}
              data-testid="test-all"
              loading={testable.some(({ id }) => actions.isTested(id))}
              onClick={() => void actions.testAll(testable)}
            >
              {t('upstreams.testAll')}
            </Button>
          )}
          <Button
            variant="light"
            size="xs"
            className={styles.headButton}
            leftSection={<IconPlus size={16} aria-hidden />}
            data-testid="add-upstream"
            onClick={() => open(NEW)}
          >
            {t('upstreams.add')}
          </Button>
        </PageHead>
      }
      drawer={
        <OpenUpstream
          opened={address.opened}
          upstreams={upstreams ?? []}
          parts={{ loads, actions, asksForKey }}
          onClose={() => open(null)}
        />
      }
    >
      {upstreams === undefined && <NotRead />}
      {upstreams?.length === 0 && <NothingSetUp onAdd={() => open(NEW)} />}
      {upstreams !== undefined && upstreams.length > 0 && (
        <ul className={styles.upstreams} data-testid="admin-table">
          {upstreams.map(upstream => (
            <UpstreamEntry
              key={upstream.id}
              upstream={upstream}
              loads={loads}
              actions={actions}
              isOpen={address.opened === String(upstream.id)}
              onEdit={forKey => open(String(upstream.id), forKey)}
            />
          ))}
        </ul>
      )}
      {everyAdminSlots().map(
        ([source, { AccountsSection }]) =>
          AccountsSection !== null && (
            <AccountsSection key={source} accounts={(upstreams ?? []).filter(each => each.source === source)} />
          ),
      )}
    </ListLayout>
  )
}

function NotRead() {
  const { error, refetch } = useQuery(upstreamsQuery)
  return error === null ? null : <NotLoaded error={error} onRetry={refetch} />
}

function Context({ upstreams }: { upstreams: readonly UpstreamRead[] | undefined }) {
  const t = useTranslate()
  if (upstreams === undefined) return ''
  if (upstreams.length === 0) return t('upstreams.context.none')
  const count = upstreams.filter(canAnswer).length
  return t(count > 1 ? 'upstreams.context.several' : 'upstreams.context', { count, total: upstreams.length })
}

type OpenUpstreamProps = {
  opened: string | null
  upstreams: readonly UpstreamRead[]
  parts: { loads: Loads; actions: UpstreamActions; asksForKey: boolean }
  onClose(): void
}

function OpenUpstream({ opened, upstreams, parts, onClose }: OpenUpstreamProps) {
  if (opened === NEW) return <NewUpstreamDrawer onClose={onClose} />
  const upstream = upstreams.find(({ id }) => String(id) === opened)
  if (upstream === undefined) return null
  return (
    <UpstreamDrawer
      key={upstream.id}
      upstream={upstream}
      conversations={parts.loads.of(upstream.id)?.conversations ?? 0}
      actions={parts.actions}
      asksForKey={parts.asksForKey}
      onClose={onClose}
    />
  )
}

/** Only the demonstration answers: what to do, step by step. */
function NothingSetUp({ onAdd }: { onAdd(): void }) {
  const t = useTranslate()
  return (
    <section className={styles.nothing}>
      <Illustration lit={false} />
      <h2>{t('upstreams.nothing')}</h2>
      <p>{t('upstreams.nothing.why')}</p>
      <ol>
        <li>
          <p>{t('upstreams.nothing.here')}</p>
          <Button size="xs" onClick={onAdd}>
            {t('upstreams.add')}
          </Button>
        </li>
        <li>
          <p>{t('upstreams.nothing.key')}</p>
          <TerminalLines text="OPENAI_API_KEY=sk-... npm start" />
        </li>
        <li>
          <p>{t('upstreams.nothing.address')}</p>
          <TerminalLines text="OPENAI_BASE_URL=http://127.0.0.1:11434/v1/ npm start" />
        </li>
      </ol>
    </section>
  )
}
