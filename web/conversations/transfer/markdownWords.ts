/** Characters of a question that stand in its heading. */
const HEADLINE = 80

/** The first line with something in it, without marks that would make something else of it. */
export function headline(text: string, longest = HEADLINE): string {
  const line =
    text
      .split('\n')
      .map(each => each.replace(/^[\s#>*+`-]+/, '').trim())
      .find(each => each !== '') ?? ''
  const characters = Array.from(line)
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
}

/** A fenced block whose fence does not occur in its text. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`
}

export function quoted(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n')
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
