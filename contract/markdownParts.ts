/** A code block with a fence that is longer than any in the text. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`
}

/**
 * A document that a model wrote beside the conversation. With a `language`, maybe an empty one, it is code, otherwise
 * Markdown.
 */
export function titledDocument(title: string | null, content: string, language: string | null = null): string {
  const name = (title ?? '').replace(/[*\\\n]/g, ' ').trim()
  const text = language === null ? content : fenced(content, language.replace(/[^\w+#-]/g, ''))
  return name === '' ? text : `**${name}**\n\n${text}`
}

export function listOf(lines: readonly string[]): string {
  return lines
    .filter(line => line !== '')
    .map(line => `- ${line}`)
    .join('\n')
}

export function linkText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\[\]]/g, '\\$&')
    .trim()
}
