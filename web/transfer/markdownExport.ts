import type { ConversationHistory } from '#contract/conversations.ts'
import { attachmentsOf, isThoughts, type Message, textOf } from '#contract/messages.ts'
import { fenced, linkText, listOf } from '#contract/markdownParts.ts'
import { pathTo } from '#contract/messageTree.ts'
import type { Language } from '#contract/preferences.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { leftOutOf } from '#web/messages/LeftOutNote.tsx'
import { citedText, sourcesOf } from '#web/messages/citations.ts'
import { safeLink } from '#web/messages/markdown/safeUrl.ts'
import { pictureName } from '#web/messages/picture.ts'
import type { Step } from '#web/messages/steps.ts'
import {
  canvasChanges,
  codeOf,
  drawnIn,
  otherWords,
  outputOf,
  pluginOf,
  prettyText,
  promptsOf,
  stepTitle,
} from '#web/messages/stepTexts.ts'
import { piecesOf, type Turn, turnsOf } from '#web/messages/turn.ts'
import { knownName } from '#web/sources/openai_web/plugins/plugin.ts'
import { headline, inlineMarkdown, plainMarkdown, quoted } from './markdownText.ts'
import { portableMarkdown } from './portableMarkdown.ts'

export type Dependencies = {
  t: Translate
  language: Language
  modelName(code: string): string
  product: string
  now: Date
}

/** The current path of a conversation, with who said what and when. */
export function markdownOf(history: ConversationHistory, dependencies: Dependencies): string {
  const { t, language, modelName, product, now } = dependencies
  const turns = turnsOf(pathTo(history.mapping, history.current_node).filter(message => !isThoughts(message)))
  const facts = [
    `${t('transfer.begun')} ${timeText(history.create_time, language)}`,
    history.current_model === null ? '' : `${t('transfer.model')} ${inlineMarkdown(modelName(history.current_model))}`,
    t('transfer.exportedBy', { product: inlineMarkdown(product), time: formatDateTime(now, language) }),
  ]
  const head = `# ${inlineMarkdown(history.title) || t('conversations.untitled')}\n\n${listOf(facts)}`
  return `${[head, ...turns.map((turn, at) => turnMarkdown(turn, at + 1, dependencies))].join('\n\n')}\n`
}

function turnMarkdown({ question, replies }: Turn, number: number, dependencies: Dependencies): string {
  const { t } = dependencies
  const asked = question === null ? '' : textOf(question).trim()
  const title = inlineMarkdown(headline(asked)) || t(question === null ? 'message.answer' : 'message.question')
  const parts = [`## ${number}. ${title}`]
  if (question !== null) parts.push(plainMarkdown(asked), attachmentList(question, t), picturesOf(question, t))
  if (replies.length > 0) parts.push(answerHead(replies, dependencies), ...answerParts(replies, t))
  return parts.filter(part => part !== '').join('\n\n')
}

function answerHead(replies: readonly Message[], { t, language, modelName }: Dependencies): string {
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
    const text = citedText(textOf(message), message, (number, url) =>
      url === null ? ` [${number}]` : ` [${number}](<${url}>)`,
    ).trim()
    return [
      leftOutText(message, t),
      portableMarkdown(text),
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
    : `${t('message.sources')}\n\n${sources.map(({ number, title, url }) => (url === null ? `${number}. ${inlineMarkdown(title)}` : `${number}. [${linkText(title)}](<${url}>)`)).join('\n')}`
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

function attachmentList(question: Message, t: Translate): string {
  return listOf(attachmentsOf(question).map(({ name }) => t('transfer.attachment', { name: inlineMarkdown(name) })))
}

function leftOutText(message: Message, t: Translate): string {
  const count = leftOutOf(message)
  return count === 0 ? '' : `*${t('message.leftOut', { count })}*`
}

function endingOf({ metadata }: Message, t: Translate): string {
  const ending = metadata?.ending
  return ending == null ? '' : `*${t(`message.${ending}`)}*`
}

/** A stored time without a zone is in UTC. */
function timeText(time: string, language: Language): string {
  const parsed = new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
  return Number.isNaN(parsed.getTime()) ? time : formatDateTime(parsed, language)
}

/** A step of a tool as a quote: its title, its input and its output. */
function stepMarkdown(step: Step, t: Translate): string {
  const plugin = pluginOf(step)
  const parts = [`**${stepTitle(step, false, t, knownName(plugin) ?? plugin.namespace)}**`, ...contentOf(step, t)]
  return quoted(parts.filter(part => part !== '').join('\n\n'))
}

function contentOf(step: Step, t: Translate): string[] {
  switch (step.kind) {
    case 'code': {
      const { code, language } = codeOf(step)
      const { text, errors } = outputOf(step)
      return [
        code === '' ? '' : fenced(code, language),
        text === '' ? '' : fenced(text),
        errors === '' ? '' : fenced(errors),
        listOf(drawnIn(step).map(part => inlineMarkdown(pictureName(part, t)))),
      ]
    }
    case 'painting':
      return [listOf(promptsOf(step))]
    case 'thoughts':
      return []
    case 'canvas':
      return canvasChanges(step).map(text => fenced(text))
    case 'other':
      return step.messages.map(message => plainMarkdown(otherWords(message)))
    case 'plugin':
    case 'browsing':
    case 'files':
    case 'error':
      return step.messages.flatMap(message => [sourceOf(message), outputBlock(message)])
  }
}

function outputBlock(message: Message): string {
  const text = textOf(message).trim()
  const pretty = prettyText(text)
  return text === '' ? '' : fenced(pretty.text, pretty.language ?? '')
}

/** The source of a quote; a link when it is a web address. */
function sourceOf({ content }: Message): string {
  if (content?.content_type !== 'tether_quote') return ''
  const title = linkText(content.title || content.domain || content.url)
  const link = safeLink(content.url)
  return link?.kind === 'outside' ? `[${title}](<${link.href}>)` : title
}
