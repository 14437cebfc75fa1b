import type { Fields } from '#server/providers/looseJson.ts'

/**
 * The messages of a chat, as the other dialects bring them in pieces. A chat wants the results of tools right behind
 * the calls, as text alone: pictures of a result follow in a message of the user.
 */
export function chatThread() {
  const messages: Record<string, unknown>[] = []
  let pictures: Fields[] = []

  function flushPictures(): void {
    if (pictures.length === 0) return
    messages.push({ role: 'user', content: pictures })
    pictures = []
  }

  /** The message of the assistant that goes on: a call belongs to what was said before it. */
  function assistant(joins: (last: Record<string, unknown>) => boolean): Record<string, unknown> {
    flushPictures()
    const last = messages.at(-1)
    if (last?.['role'] === 'assistant' && joins(last)) return last
    const message = { role: 'assistant', content: null }
    messages.push(message)
    return message
  }

  return {
    /** What is said first is one message: some models take no second one. */
    addSystem(text: string): void {
      if (text === '') return
      flushPictures()
      const [last] = messages.slice(-1)
      if (last?.['role'] === 'system' && messages.length === 1)
        last['content'] = `${String(last['content'])}\n\n${text}`
      else messages.push({ role: 'system', content: text })
    },
    addUser(parts: readonly Fields[]): void {
      const all = [...pictures, ...parts]
      pictures = []
      if (all.length > 0) messages.push({ role: 'user', content: contentOf(all) })
    },
    addAssistant(text: string): void {
      const message = assistant(last => last['tool_calls'] !== undefined)
      if (text !== '') message['content'] = `${typeof message['content'] === 'string' ? message['content'] : ''}${text}`
    },
    addCall(id: string, name: string, args: string): void {
      const message = assistant(() => true)
      const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
      message['tool_calls'] = [...calls, { id, type: 'function', function: { name, arguments: args } }]
    },
    addResult(tool_call_id: string, parts: readonly Fields[]): void {
      const shown = parts.filter(({ type }) => type !== 'text')
      pictures.push(...shown)
      const text = textOfParts(parts)
      messages.push({ role: 'tool', tool_call_id, content: text === '' && shown.length > 0 ? SHOWN_BELOW : text })
    },
    messages(): Fields[] {
      flushPictures()
      return messages.filter(
        ({ role, content, tool_calls }) => role !== 'assistant' || content !== null || tool_calls !== undefined,
      )
    },
  }
}

const SHOWN_BELOW = '(The result follows in the next message.)'

export const textOfParts = (parts: readonly Fields[]): string =>
  parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n')

/** Text alone is a string: not every upstream reads parts. */
const contentOf = (parts: readonly Fields[]): unknown =>
  parts.every(({ type }) => type === 'text') ? textOfParts(parts) : parts
