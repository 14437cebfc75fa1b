import { isInContext } from '#contract/context.ts'
import { type Message, textOf, withoutPictures } from '#contract/messages.ts'

/** Asks for more of an answer, where the source has no other way to; never shown. */
const GO_ON = 'Continue exactly where you stopped, without repeating anything.'

export type UpstreamMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/**
 * A thread as the endpoint wants it. Messages without text (pictures, runs of tools) have nothing to say there, nor have pictures
 * within an answer, and what nobody said to anybody stays here. What the same side said in a row, as after a failed answer or in a
 * continued one, is one message: the templates of some models want the sides to take turns. They also refuse a system message that is not
 * the first, so that a later one is left out: it is a note of an import, since nothing here writes any.
 */
export function toUpstream(thread: readonly Message[], continues = false): UpstreamMessage[] {
  const said: UpstreamMessage[] = []
  for (const message of thread) {
    const role = message.role === 'tool' ? ('assistant' as const) : message.role
    const content = role === 'assistant' ? withoutPictures(textOf(message)) : textOf(message)
    const before = said.at(-1)
    if (content === '' || !isInContext(message)) continue
    if (before?.role === role) before.content += `\n\n${content}`
    else if (role !== 'system' || before === undefined) said.push({ role, content })
  }
  if (continues) said.push({ role: 'user', content: GO_ON })
  return said
}
