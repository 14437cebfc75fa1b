import type { QueryOf } from '#contract/call.ts'
import type {
  ConversationCounts,
  ConversationRow,
  listEveryConversation,
} from '#contract/conversationAdministration.ts'
import { rowsAsked } from '#contract/paging.ts'
import { namesOf } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { iso, isPublic, sourceOf } from '../history.ts'
import type { ConversationRow as StoredRow } from '../store.ts'
import type { KeepingTerms } from '../terms.ts'
import { everyConversation } from './store.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; upstreams: Pick<Upstreams, 'find'>; terms: KeepingTerms }

/** Everybody's conversations, as superusers look through them. */
export function openConversationListing({ open, clock, upstreams, terms }: Dependencies) {
  const store = () => everyConversation(open.readOnly(), open.engine)

  async function page({
    page: number,
    size,
    sort = 'create_time',
    order,
    ...filter
  }: QueryOf<typeof listEveryConversation>) {
    const sorting = { sort, order: order ?? (sort === 'create_time' || sort === 'update_time' ? 'desc' : 'asc') }
    const [ids, total] = await Promise.all([
      store().pageOfIds(filter, sorting, rowsAsked({ page: number, size })),
      store().count(filter),
    ])
    return { rows: await rowsOf(ids), total }
  }

  async function rowsOf(ids: readonly number[]): Promise<ConversationRow[]> {
    if (ids.length === 0) return []
    const stored = await store().list(ids)
    const nameOf = await namesOf(
      open.readOnly(),
      stored.flatMap(({ user_id, hidden_by }) => [user_id, hidden_by]),
    )
    const termsOf = await terms.readAll()
    const byId = new Map(stored.map(row => [row.id, row]))
    return ids.flatMap(id => {
      const row = byId.get(id)
      return row === undefined ? [] : [shown(row, nameOf, terms.endOfDeleted(row, termsOf(row.user_id)))]
    })
  }

  function shown(row: StoredRow, nameOf: Awaited<ReturnType<typeof namesOf>>, ends: number | null): ConversationRow {
    const { upstream_id } = row
    return {
      id: row.id,
      conversation_id: row.conversation_id,
      title: row.title,
      owner: nameOf(row.user_id),
      source: sourceOf(row),
      upstream: upstream_id === null ? null : { id: upstream_id, label: upstreams.find(upstream_id)?.label ?? null },
      model: row.current_model,
      create_time: iso(row.create_time),
      update_time: row.update_time === null ? null : iso(row.update_time),
      is_valid: row.is_valid,
      gone_upstream: row.gone_upstream_time === null ? null : iso(row.gone_upstream_time),
      is_public: isPublic(row),
      hidden: row.is_valid
        ? null
        : {
            time: row.hide_time === null ? null : iso(row.hide_time),
            by: nameOf(row.hidden_by),
            deletion: row.deletion_id,
            ends: ends === null ? null : iso(ends),
          },
    }
  }

  async function counts(): Promise<ConversationCounts> {
    const now = clock.now()
    const time = iso(now)
    const hidden_end = terms.endOfDeleted({ ends_from: now, hide_time: now }, await terms.readOf(null)) ?? now
    const kinds = await store().kinds()
    const countOf = (fits: (kind: (typeof kinds)[number]) => boolean) =>
      kinds.filter(fits).reduce((sum, { count }) => sum + count, 0)
    const models = Map.groupBy(
      kinds.filter(({ current_model }) => current_model !== null),
      kind => `${kind.source} ${kind.current_model}`,
    )
    return {
      time,
      all: countOf(() => true),
      valid: countOf(({ is_valid }) => Boolean(is_valid)),
      hidden_end: iso(hidden_end),
      nobodys: countOf(({ is_nobodys }) => Boolean(is_nobodys)),
      models: [...models.values()]
        .flatMap(([first, ...others]) =>
          first === undefined
            ? []
            : [
                {
                  source: sourceOf(first),
                  model: first.current_model ?? '',
                  count: others.reduce((sum, { count }) => sum + count, first.count),
                },
              ],
        )
        .toSorted((one, other) => other.count - one.count),
    }
  }

  return { page, counts }
}
export type ConversationListing = ReturnType<typeof openConversationListing>
