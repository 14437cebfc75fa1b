import { type Message, textOf } from '#contract/messages.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { safeLink } from '#web/messages/markdown/safeUrl.ts'
import type { Step } from '#web/messages/steps.ts'
import { codeOf, outputOf, prettyText, promptsOf } from '#web/messages/toolTexts.ts'
import { stepTitle } from '#web/messages/useStepTitle.ts'
import { fenced, linkText, listOf, quoted } from './markdownWords.ts'

/** What a tool did, set apart from what is said: its name, what it was given and what came of it. */
export function stepMarkdown(step: Step, t: Translate): string {
  const parts = [`**${stepTitle(step, false, t)}**`, ...contentOf(step)]
  return quoted(parts.filter(part => part !== '').join('\n\n'))
}

function contentOf(step: Step): string[] {
  switch (step.kind) {
    case 'code': {
      const { code, language } = codeOf(step)
      const { text, errors } = outputOf(step)
      // A run may end without a word.
      return [
        code === '' ? '' : fenced(code, language),
        text === '' ? '' : fenced(text),
        errors === '' ? '' : fenced(errors),
      ]
    }
    case 'painting':
      return [listOf(promptsOf(step))]
    case 'thoughts':
      return []
    case 'raw':
      return step.messages.map(({ metadata, content }) =>
        fenced(JSON.stringify(metadata?.fallback_content ?? content, null, 2), 'json'),
      )
    case 'plugin':
    case 'browsing':
    case 'files':
    case 'error':
      return step.messages.flatMap(message => [placeOf(message), saidBy(message)])
  }
}

function saidBy(message: Message): string {
  const text = textOf(message).trim()
  const pretty = prettyText(text)
  return text === '' ? '' : fenced(pretty.text, pretty.language ?? '')
}

/** Where a quote was found; a link when that is an address of the web. */
function placeOf({ content }: Message): string {
  if (content?.content_type !== 'tether_quote') return ''
  const title = linkText(content.title || content.domain || content.url)
  const link = safeLink(content.url)
  return link?.kind === 'outside' ? `[${title}](<${link.href}>)` : title
}
