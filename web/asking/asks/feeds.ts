import { isThoughts, type Message, textOf, withText } from '#contract/messages.ts'
import type { ChatEvent } from '#web/foundation/chatEvents.ts'
import { textFeed, type TextFeed } from '#web/messages/markdown/streaming/textFeed.ts'
import type { Ask } from './askState.ts'

type StoredFeed = { feed: TextFeed; conversation_id: string | null }

/**
 * Growing texts, by message. A finished one stays while its conversation is on the screen, so that the message is not
 * rendered again.
 */
const feeds = new Map<string, StoredFeed>()
/** The feed that the next text of an ask goes to. */
const latest = new Map<string, TextFeed>()

export function feedOf(message_id: string): TextFeed | undefined {
  return feeds.get(message_id)?.feed
}

export function writeFeed(ask: Ask, event: ChatEvent): void {
  if (!('type' in event)) {
    latest.get(ask.ask_id)?.append(event.t)
  } else if (event.type === 'message' && event.message.role !== 'user') {
    const { id } = event.message
    const feed = feeds.get(id)?.feed ?? textFeed()
    const before = latest.get(ask.ask_id)
    if (before !== feed) before?.finish()
    feed.replace(textIn(event.message))
    feeds.set(id, { feed, conversation_id: ask.conversation_id })
    latest.set(ask.ask_id, feed)
  } else if (event.type === 'finished' || event.type === 'error') {
    for (const message of event.messages ?? []) feedOf(message.id)?.replace(textIn(message))
    latest.get(ask.ask_id)?.finish()
    latest.delete(ask.ask_id)
  }
}

/** The ask with the text of its feeds, for when the end of the answer was not received. */
export function withGrownText(ask: Ask): Ask {
  const replies = ask.replies.map((reply): Message => {
    const text = feedOf(reply.id)?.text ?? ''
    return text === '' || text === textIn(reply)
      ? reply
      : { ...reply, content: withText(reply.content ?? NO_TEXT, text) }
  })
  return { ...ask, replies }
}

const NO_TEXT = { content_type: 'text' } as const

/** The text of a message. Thoughts grow like an answer, but `textOf` leaves them out. */
function textIn(message: Message): string {
  return isThoughts(message) && message.content?.content_type === 'thoughts' ? message.content.text : textOf(message)
}

/** Forgets the finished texts of other conversations than this one. */
export function dropFeeds(conversation_id: string | null): void {
  for (const [id, kept] of feeds) {
    if (kept.feed.done && kept.conversation_id !== conversation_id) feeds.delete(id)
  }
}
