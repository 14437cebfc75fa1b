import { fenced } from './markdownWords.ts'
import { type Raw, someTextAt, textAt } from './rawValues.ts'
import { withBlocks } from './textBlocks.ts'

const ARTIFACT = /<antArtifact\b([^>]{0,2000})>\n?/
const THINKING = /<antThinking>/

/** A document or code that was written beside the conversation: the whole of it, not a change of a part. */
export function claudeArtifact(input: Raw): string | null {
  const content = someTextAt(input, 'content')
  if (
    content === null ||
    !/^(?:create|rewrite)$/.test(textAt(input, 'command') ?? 'create') ||
    textAt(input, 'type') === null
  )
    return null
  return artifactText(textAt(input, 'title'), textAt(input, 'type') ?? '', textAt(input, 'language'), content)
}

/** Older exports have the same in the text itself. */
export function withoutTags(text: string): string {
  if (!/<ant(?:Artifact|Thinking)/i.test(text)) return text
  return withBlocks(
    withBlocks(text, THINKING, '</antThinking>', () => '').trimStart(),
    ARTIFACT,
    '</antArtifact>',
    (attributes, content) =>
      apart(
        artifactText(
          attribute(attributes, 'title'),
          attribute(attributes, 'type') ?? '',
          attribute(attributes, 'language'),
          content,
        ),
      ),
  ).trim()
}

/** What stands beside a fence on its line would be part of it. */
function apart(text: string): string {
  return `${text.startsWith('```') ? '\n\n' : ''}${text}${text.endsWith('```') ? '\n\n' : ''}`
}

function artifactText(title: string | null, type: string, language: string | null, content: string): string {
  const head = title === null || title.trim() === '' ? '' : `**${title.replace(/[*\\\n]/g, ' ').trim()}**\n\n`
  if (/markdown|text\/plain/.test(type)) return head + content
  const [, last = ''] = /([\w+#]+)$/.exec(type.replace('+xml', '')) ?? []
  return head + fenced(content, (language ?? (last === 'code' ? '' : last)).replace(/[^\w+#-]/g, ''))
}

function attribute(attributes: string, name: string): string | null {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? null
}
