import { noteView, VIEW_TTL_MS } from '#contract/notices.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadTexts, translate } from '#web/i18n/useTranslate.ts'
import { noticesQuery } from './queries.ts'

/** No secret: it tells pages of one person apart. Over plain http there is no `randomUUID`. */
const page_id = crypto.getRandomValues(new Uint32Array(4)).join('-')
/** Milliseconds: the end of an answer is notified at the same moment as the page learns of it. */
const STAYS_FOR = 5_000

let watched: symbol | null = null

/** Says it as long as the page is visible; the returned function ends that, a moment later. */
export function watchView(conversation_id: string): () => void {
  const own = Symbol(conversation_id)
  watched = own
  let timer: ReturnType<typeof setInterval> | undefined
  const say = (id: string | null) =>
    void call(noteView, { body: { page_id, conversation_id: id } }, { lostSession: 'throw' }).catch(() => null)
  const look = () => {
    clearInterval(timer)
    if (watched !== own) return
    const isVisible = document.visibilityState === 'visible'
    say(isVisible ? conversation_id : null)
    if (isVisible) timer = setInterval(() => say(conversation_id), VIEW_TTL_MS * 0.7)
  }
  // Whoever is told nowhere needs not say what they look at.
  queryClient
    .fetchQuery(noticesQuery)
    .then(({ devices }) => {
      if (devices === 0 || watched !== own) return
      look()
      document.addEventListener('visibilitychange', look)
    })
    .catch(() => null)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    setTimeout(() => {
      if (watched !== own) return
      watched = null
      say(null)
    }, STAYS_FOR)
  }
}

/** In a page that nobody sees: the title says that the answer is there, until somebody looks. */
export async function markTitle(): Promise<void> {
  if (document.visibilityState === 'visible') return
  await loadTexts('notices')
  const before = document.title
  const marked = translate('notices.title', { text: translate('notices.answer'), title: before })
  document.title = marked
  const restore = () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', restore)
    if (document.title === marked) document.title = before
  }
  document.addEventListener('visibilitychange', restore)
}
