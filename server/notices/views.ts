import * as z from 'zod/mini'
import { VIEW_TTL_MS } from '#contract/notices.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'

const TOPIC = 'notice-view'
/** Open pages of one person; the one that said something first is forgotten. */
const MAX_PAGES = 30
/** People; so many look at answers that are being made, in all. */
const MAX_PEOPLE = 20_000

const View = z.object({ user_id: z.int(), page_id: z.string(), conversation_id: z.nullable(z.string()) })
type View = z.infer<typeof View>

/**
 * Which conversations are looked at, as open pages say it, in the memory of every process: when a message is lost, a
 * notice too many is sent.
 */
export function openViews({ bus, clock }: { bus: Bus; clock: Pick<Clock, 'now'> }) {
  const views = new Map<number, Map<string, { conversation_id: string; until: number }>>()

  function note({ user_id, page_id, conversation_id }: View): void {
    const pages = views.get(user_id) ?? new Map<string, { conversation_id: string; until: number }>()
    pages.delete(page_id)
    if (conversation_id !== null) pages.set(page_id, { conversation_id, until: clock.now() + VIEW_TTL_MS })
    for (const [id, { until }] of pages) if (until <= clock.now() || pages.size > MAX_PAGES) pages.delete(id)
    views.delete(user_id)
    if (pages.size > 0) views.set(user_id, pages)
    const [oldest] = views.keys()
    if (views.size > MAX_PEOPLE && oldest !== undefined) views.delete(oldest)
  }

  const unsubscribe = bus.subscribe(TOPIC, body => note(View.parse(JSON.parse(body))))
  return {
    publish: (view: View): void => bus.publish(TOPIC, JSON.stringify(view)),

    isInView: (user_id: number, conversation_id: string): boolean =>
      [...(views.get(user_id)?.values() ?? [])].some(
        view => view.conversation_id === conversation_id && view.until > clock.now(),
      ),

    close: unsubscribe,
  }
}

export type Views = ReturnType<typeof openViews>
