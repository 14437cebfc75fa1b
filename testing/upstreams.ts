import type { Insertable } from 'kysely'
import { expect } from 'vitest'
import type { Source } from '#contract/models.ts'
import type { App } from '#server/app.ts'
import type { Tables } from '#server/foundation/database/open.ts'
import { NORMAL } from '#server/upstreams/health.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import { until } from './until.ts'

export { settingsOfUpstreams } from '#server/upstreams/settingsView/settings.ts'

/** A shared endpoint that may be asked: everything that the case is not about. */
export const anUpstream = (fields: Partial<Upstream> & Pick<Upstream, 'id'>): Upstream => ({
  source: 'openai_api',
  user_id: null,
  label: '',
  enabled: true,
  paused_since: null,
  concurrency: 1,
  health: NORMAL,
  team_account_id: null,
  shared_limit: null,
  shared_limit_window_seconds: 0,
  modelsBy: 'row',
  isDemonstration: false,
  dialects: ['chat'],
  ...fields,
})

/** Upstreams as those who ask know them. `change` puts others in their place, and says so. */
export function someUpstreams(first: readonly Upstream[]) {
  let upstreams = first
  const listeners = new Set<() => void>()
  const shared = (source: Source) => upstreams.filter(each => each.source === source)
  const find = (id: number) => upstreams.find(each => each.id === id) ?? null
  return {
    sharedFor: shared,
    find,
    findFor: find,
    serving: (source: Source) => shared(source).filter(each => each.enabled && each.paused_since === null),
    concurrency: () => 1,
    onChange(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    change(next: readonly Upstream[]): void {
      upstreams = next
      for (const listener of listeners) listener()
    },
  }
}

/** Of accounts without windows. */
export const NO_POOLS = {
  poolOf: () => null,
  locked: () => ({ of: () => Promise.resolve(null), note: () => undefined }),
}

type Stored = Partial<Insertable<Tables['upstreams']>>

/** Stores a further endpoint of a portal that serves gpt_4, or changes it; resolves when this portal knows of it. */
export async function storedUpstream({ services: { open, bus, upstreams } }: App, fields: Stored): Promise<number> {
  const row = { source: 'openai_api', label: 'further', models_picked: true, create_time: 1, ...fields }
  const { id } = await open.database.insertInto('upstreams').values(row).returning('id').executeTakeFirstOrThrow()
  const model = { code: 'gpt_4', name: 'gpt-4', label: null, context_length: null, position: 0, offered: true }
  await open.database
    .insertInto('upstream_models')
    .values({ upstream_id: id, ...model })
    .execute()
  bus.publish('upstreams')
  await until(() => expect(upstreams.find(id)).not.toBe(null))
  return id
}

export async function changeUpstream({ services: { open, bus } }: App, id: number, fields: Stored): Promise<void> {
  await open.database.updateTable('upstreams').set(fields).where('id', '=', id).execute()
  bus.publish('upstreams')
}

/** Has an upstream cool for an hour, and the portal know it. Gives the end, in epoch milliseconds. */
export async function coolUpstream(app: App, id: number): Promise<number> {
  const cooling_until = Date.now() + 3_600_000
  await changeUpstream(app, id, { health: 'cooling', cooling_until, health_reason: 'openai.429', health_since: 1 })
  await until(() => expect(app.services.upstreams.find(id)?.health.state).toBe('cooling'))
  return cooling_until
}

export async function removeUpstream({ services: { open, bus } }: App, id: number): Promise<void> {
  await open.database.deleteFrom('upstreams').where('id', '=', id).execute()
  bus.publish('upstreams')
}
