import type { Bus } from '#server/foundation/database/bus.ts'

/** Conversations whose upstream is remembered; beyond that the oldest are forgotten. */
const MAX_CONVERSATIONS = 10_000
const ANSWERED = 'conversation of a tool'

/**
 * Where conversations of tools were answered last: there the provider has cached what was said. All processes know it,
 * since the next request of a tool may come to any of them.
 */
export function openToolConversations(bus: Pick<Bus, 'publish' | 'subscribe'>) {
  const upstreams = new Map<string, number>()

  function keep(key: string, upstream_id: number): void {
    // Set anew, so that it is the youngest.
    upstreams.delete(key)
    upstreams.set(key, upstream_id)
    if (upstreams.size <= MAX_CONVERSATIONS) return
    for (const oldest of upstreams.keys()) return void upstreams.delete(oldest)
  }

  bus.subscribe(ANSWERED, body => {
    const [key, upstream_id] = JSON.parse(body) as [string, number] // only `note` writes it
    keep(key, upstream_id)
  })

  return {
    find: (key: string): number | null => upstreams.get(key) ?? null,

    note(key: string, upstream_id: number): void {
      if (upstreams.get(key) === upstream_id) keep(key, upstream_id)
      else bus.publish(ANSWERED, JSON.stringify([key, upstream_id]))
    },
  }
}
