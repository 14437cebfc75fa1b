import type { ConversationHistory } from '#contract/conversations.ts'
import type { Language } from '#contract/preferences.ts'
import { type Attachment, isThoughts, type Message, textOf } from '#contract/messages.ts'
import { pathTo } from '#contract/messageTree.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { citedText, sourcesOf } from '#web/messages/citations.ts'
import { pictureName } from '#web/messages/pictureName.ts'
import { piecesOf } from '#web/messages/pieces.ts'
import { type Turn, turnsOf } from '#web/messages/turns.ts'
import { withClosedBlocks } from './closedBlocks.ts'
import { withLongerFences } from './longerFences.ts'
import { headline, linkText, listOf } from './markdownWords.ts'
import { inlineMarkdown, plainMarkdown } from './plainMarkdown.ts'
import { stepMarkdown } from './stepMarkdown.ts'

export type MarkdownGiven = {
  t: Translate
  language: Language
  modelName(code: string): string
  product: string
  now: Date
}

/** A conversation to be read elsewhere: the path that is shown, with who said what and when. */
export function markdownOf(history: ConversationHistory, given: MarkdownGiven): string {
  const { t, language, modelName, product, now } = given
  const turns = turnsOf(pathTo(history.mapping, history.current_node).filter(message => !isThoughts(message)))
  const facts = [
    `${t('transfer.begun')} ${timeText(history.create_time, language)}`,
    history.current_model === null ? '' : `${t('transfer.model')} ${inlineMarkdown(modelName(history.current_model))}`,
    t('transfer.exportedBy', { product: inlineMarkdown(product), time: formatDateTime(now, language) }),
  ]
  const head = `# ${inlineMarkdown(history.title) || t('conversations.untitled')}\n\n${listOf(facts)}`
  return `${[head, ...turns.map((turn, at) => turnMarkdown(turn, at + 1, given))].join('\n\n')}\n`
}

function turnMarkdown({ question, replies }: Turn, number: number, given: MarkdownGiven): string {
  const { t } = given
  const asked = question === null ? '' : textOf(question).trim()
  const title = inlineMarkdown(headline(asked)) || t(question === null ? 'message.answer' : 'message.question')
  const parts = [`## ${number}. ${title}`]
  if (question !== null) parts.push(plainMarkdown(asked), attachmentsOf(question, t), picturesOf(question, t))
  if (replies.length > 0) parts.push(answerHead(replies, given), ...answerParts(replies, t))
  return parts.filter(part => part !== '').join('\n\n')
}

function answerHead(replies: readonly Message[], { t, language, modelName }: MarkdownGiven): string {
  const model = replies.findLast(reply => reply.model !== null)?.model ?? null
  const time = replies.at(-1)?.create_time ?? null
  return [
    `**${t('message.answer')}**`,
    model === null ? '' : inlineMarkdown(modelName(model)),
    time === null ? '' : timeText(time, language),
  ]
    .filter(part => part !== '')
    .join(' · ')
}

function answerParts(replies: readonly Message[], t: Translate): string[] {
  return piecesOf(
    replies.filter(reply => !isThoughts(reply)),
    () => false,
  ).flatMap(piece => {
    if (piece.kind === 'steps') return piece.steps.map(step => stepMarkdown(step, t))
    const { message } = piece
    const text = citedText(textOf(message), message, (number, url) => ` [${number}](<${url}>)`).trim()
    return [
      withClosedBlocks(withLongerFences(text)),
      picturesOf(message, t),
      sourcesMarkdown(message, t),
      endingOf(message, t),
    ]
  })
}

function sourcesMarkdown(message: Message, t: Translate): string {
  const sources = sourcesOf(message)
  return sources.length === 0
    ? ''
    : `${t('message.sources')}\n\n${sources.map(({ number, title, url }) => `${number}. [${linkText(title)}](<${url}>)`).join('\n')}`
}

function picturesOf({ content }: Message, t: Translate): string {
  if (content?.content_type !== 'multimodal_text') return ''
  return listOf(
    content.parts
      .filter(part => typeof part !== 'string')
      .map(part => {
        const prompt = headline(part.metadata?.dalle?.prompt ?? '', 500)
        const picture = pictureName(part, t)
        return inlineMarkdown(prompt === '' ? picture : `${picture}: ${prompt}`)
      }),
  )
}

function attachmentsOf({ metadata }: Message, t: Translate): string {
  const attachments: readonly Attachment[] = metadata?.source === 'openai_web' ? (metadata.attachments ?? []) : []
  return listOf(attachments.map(({ name }) => t('transfer.attachment', { name: inlineMarkdown(name) })))
}

function endingOf({ metadata }: Message, t: Translate): string {
  const ending = metadata?.source === 'openai_api' ? metadata.ending : null
  return ending == null ? '' : `*${t(`message.${ending}`)}*`
}

/** Stored times have a zone or none; either way it is the same moment, and never "Invalid Date". */
function timeText(time: string, language: Language): string {
  const parsed = new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
  return Number.isNaN(parsed.getTime()) ? time : formatDateTime(parsed, language)
}
