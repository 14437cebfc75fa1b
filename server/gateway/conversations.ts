/** Conversations whose upstream is remembered; beyond that the oldest are forgotten. */
const MAX_CONVERSATIONS = 10_000

/** Where conversations of tools were answered last: there the provider has cached what was said. */
export function openToolConversations() {
  const upstreams = new Map<string, number>()
  return {
    find: (key: string): number | null => upstreams.get(key) ?? null,

    note(key: string, upstream_id: number): void {
      // Set anew, so that it is the youngest.
      upstreams.delete(key)
      upstreams.set(key, upstream_id)
      if (upstreams.size <= MAX_CONVERSATIONS) return
      for (const oldest of upstreams.keys()) return void upstreams.delete(oldest)
    },
  }
}
