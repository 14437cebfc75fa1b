import { useQuery } from '@tanstack/react-query'
import type { ConversationCounts, ConversationRow } from '#contract/conversationAdministration.ts'
import { SOURCES } from '#contract/models.ts'
import { readUserRow } from '#contract/userAdministration.ts'
import type { Filter } from '#web/admin/table/FilterBar.tsx'
import { listKey } from '#web/admin/table/useList.ts'
import type { ListAddress, ListQuery } from '#web/admin/table/useListAddress.ts'
import { upstreamsQuery, useUpstreamName } from '../upstreams/state/queries.ts'
import { call } from '#web/foundation/call.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './conversations.module.css'
import { UserList } from './UserList.tsx'

type Address = ListAddress<ListQuery & Partial<Record<'owner' | 'deletion' | 'upstream_id', string | undefined>>>

/** The filters of the list. */
export function useConversationFilters(
  address: Address,
  counts: ConversationCounts | undefined,
  rows: readonly ConversationRow[],
): readonly Filter[] {
  const t = useTranslate()
  const modelName = useModelName()
  const { owner, deletion, upstream_id } = address.query
  const upstreams = useUpstreamOptions(upstream_id)
  const name = useOwnerName(owner, rows)
  const codes = [...new Set(counts?.models.map(({ model }) => model))]
  return [
    {
      name: 'owner',
      label: t('conv.owner'),
      shown: owner === 'nobody' ? undefined : name,
      content: close => (
        <div className={styles.picker}>
          <UserList
            chosen={owner === undefined || owner === 'nobody' ? null : Number(owner)}
            onChoose={({ id }) => {
              address.change({ owner: String(id) })
              close()
            }}
          />
        </div>
      ),
    },
    {
      name: 'source',
      label: t('conv.source'),
      options: SOURCES.map(source => ({ value: source, label: t(`sources.${source}`) })),
    },
    { name: 'upstream_id', label: t('conv.upstream'), options: upstreams },
    {
      name: 'model',
      label: t('conv.model'),
      options: codes.map(code => ({ value: code, label: modelName(code) })),
    },
    {
      name: 'state',
      label: t('conv.state'),
      options: [
        { value: 'valid', label: t('conv.valid') },
        { value: 'hidden', label: t('conv.hidden') },
        { value: 'gone_upstream', label: t('conv.readOnly') },
      ],
    },
    { name: 'owner', label: t('conv.nobodysCount', { count: counts?.nobodys ?? 0 }), value: 'nobody' },
    ...(deletion === undefined ? [] : [{ name: 'deletion', label: t('conv.ofDeletion'), value: deletion }]),
  ]
}

/** The shared accounts and keys; a chosen one that is gone is named by its id. */
function useUpstreamOptions(chosen: string | undefined): { value: string; label: string }[] {
  const nameOf = useUpstreamName()
  const { data } = useQuery({ ...upstreamsQuery, refetchInterval: false, meta: { quiet: true } })
  const options = data?.map(upstream => ({ value: String(upstream.id), label: nameOf(upstream) })) ?? []
  const isGone = chosen !== undefined && options.every(({ value }) => value !== chosen)
  return isGone ? [...options, { value: chosen, label: `#${chosen}` }] : options
}

/** The name of the owner whose id is in the address. */
function useOwnerName(owner: string | undefined, rows: readonly ConversationRow[]): string | undefined {
  const isPerson = owner !== undefined && owner !== 'nobody'
  const shown = rows.find(row => String(row.owner?.id) === owner)?.owner?.nickname
  const { data } = useQuery({
    queryKey: listKey(readUserRow, { id: owner }),
    queryFn: ({ signal }) => call(readUserRow, { params: { id: owner ?? '' } }, { signal }),
    enabled: isPerson && shown === undefined,
    meta: { quiet: true },
  })
  return isPerson ? (shown ?? data?.nickname ?? `#${owner}`) : undefined
}
