import { listOf, titledDocument } from '../markdownParts.ts'
import { isRaw, jsonFrom, type Raw, rawsAt, someTextAt, textAt } from '../rawValues.ts'

/** Characters of a call that are read while it grows. */
const MAX_GROWING = 64_000

export const isCanvas = (recipient: string | null): boolean => /^canmore(?:\.|$)/.test(recipient ?? '')

/**
 * The text that a call writes on the canvas, a document beside the conversation; null for a call that changes a part of it. Of a call that
 * `grows`, as far as it has come.
 */
export function canvasText(call: string, grows = false): string | null {
  const whole = jsonFrom(call)
  if (isRaw(whole)) return documentIn(whole)
  if (!grows || call.length > MAX_GROWING) return null
  const input = closed(call)
  const text = input === null ? null : documentIn(input)
  // A fence is closed at the end.
  return text === null ? null : text.replace(/\n`{3,}$/, '')
}

function documentIn(input: Raw): string | null {
  const whole = rawsAt(input, 'updates').find(each => textAt(each, 'pattern') === '.*')
  const content = someTextAt(input, 'content') ?? (whole === undefined ? null : someTextAt(whole, 'replacement'))
  if (content !== null) {
    const type = textAt(input, 'type') ?? ''
    return titledDocument(
      someTextAt(input, 'name'),
      content,
      type.startsWith('code') ? type.slice('code/'.length) : null,
    )
  }
  return listOf(rawsAt(input, 'comments').map(each => someTextAt(each, 'comment') ?? '')) || null
}

/** JSON that has come as far as into a string. */
function closed(call: string): Raw | null {
  const text = call.replace(/\\u[\dA-Fa-f]{0,3}$/, '')
  let slashes = 0
  while (text[text.length - 1 - slashes] === '\\') slashes += 1
  // Half of an escape.
  const whole = slashes % 2 === 1 ? text.slice(0, -1) : text
  for (const end of ['"}', '"}]}', '}', '}]}', ']}']) {
    const value = jsonFrom(whole + end)
    if (isRaw(value)) return value
  }
  return null
}
