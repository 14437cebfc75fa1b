import { isRaw, type Raw, rawsAt, someTextAt, textAt } from './rawValues.ts'

/** What was written on the canvas, out of the call that wrote it. Null for a call that changes a part of it, which can be read only as it is. */
export function canvasText(recipient: string | null, call: string): string | null {
  if (recipient === null || !/^canmore(?:\.|$)/.test(recipient)) return null
  const given = parsed(call)
  if (given === null) return null
  const whole = rawsAt(given, 'updates').find(each => textAt(each, 'pattern') === '.*')
  const content = someTextAt(given, 'content') ?? (whole === undefined ? null : someTextAt(whole, 'replacement'))
  if (content !== null) return documentFrom(someTextAt(given, 'name'), textAt(given, 'type') ?? '', content)
  const comments = rawsAt(given, 'comments')
    .map(each => textAt(each, 'comment') ?? '')
    .filter(each => each.trim() !== '')
  return comments.length === 0 ? null : comments.map(each => `- ${each}`).join('\n')
}

/** Code stands in a fence that it does not hold itself; a document is Markdown. */
function documentFrom(name: string | null, type: string, content: string): string {
  const head = name === null ? '' : `**${name.replace(/[*\\\n]/g, ' ').trim()}**\n\n`
  if (!type.startsWith('code')) return head + content
  const fence = '`'.repeat(Math.max(2, ...Array.from(content.matchAll(/`{3,}/g), ([run]) => run.length)) + 1)
  return `${head}${fence}${type.slice('code/'.length).replace(/[^\w+#-]/g, '')}\n${content.replace(/\n$/, '')}\n${fence}`
}

function parsed(call: string): Raw | null {
  try {
    const found: unknown = JSON.parse(call)
    return isRaw(found) ? found : null
  } catch {
    return null
  }
}
