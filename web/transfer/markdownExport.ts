import { type ConversationHistory, readConversation } from '#contract/conversations.ts'
import { headline as shortenedLine } from '#contract/cutText.ts'
import { attachmentsOf, isThoughts, type Message, textOf } from '#contract/messages.ts'
import { fenced, linkText, listOf } from '#contract/markdownParts.ts'
import { pathTo } from '#contract/messageTree.ts'
import type { Language } from '#contract/preferences.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { leftOutTexts } from '#web/messages/LeftOutNote.tsx'
import { citedText, sourcesOf } from '#web/messages/citations.ts'
import { safeLink } from '#web/messages/markdown/blocks/safeUrl.ts'
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
  toolSource,
} from '#web/messages/stepTexts.ts'
import { piecesOf, type Turn, turnsOf } from '#web/messages/turn.ts'
import { knownToolName, loadToolNames } from '#web/sources/list/list.ts'
import { call } from '#web/foundation/call.ts'
import { fetchModule } from '#web/foundation/failures.ts'
import { modelName, portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { currentLanguage, loadTexts, translate as t } from '#web/i18n/useTranslate.ts'
import { portableMarkdown } from './portableMarkdown.ts'
import { saveFile } from '#web/foundation/saveFile.ts'
import { fileNameOf, fileOf } from './exportedFile.ts'
import { type ExportedPaths, exportedFiles, withPaths, zipOf } from './exportedFiles.ts'

export type Dependencies = {
  t: Translate
  language: Language
  modelName(code: string): string
  product: string
  now: Date
  /** Where the files of the conversation are that go with the text, by their ids. */
  files: ExportedPaths
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
  if (question !== null)
    parts.push(plainMarkdown(asked), attachmentList(question, dependencies), picturesOf(question, t))
  if (replies.length > 0) parts.push(answerHead(replies, dependencies), ...answerParts(replies, dependencies))
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

function answerParts(replies: readonly Message[], { t, files }: Dependencies): string[] {
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
      portableMarkdown(withPaths(text, files)),
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

function attachmentList(question: Message, { t, files }: Dependencies): string {
  return listOf(
    attachmentsOf(question).map(({ id, name }) => {
      const path = files.get(id)
      const shown = path === undefined ? inlineMarkdown(name) : `[${linkText(name)}](<${path}>)`
      return t('transfer.attachment', { name: shown })
    }),
  )
}

function leftOutText(message: Message, t: Translate): string {
  return leftOutTexts(message, t)
    .map(text => `*${text}*`)
    .join('\n\n')
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
  const title = stepTitle(step, false, t, knownToolName(toolSource(step), pluginOf(step)))
  const parts = [`**${title}**`, ...contentOf(step, t)]
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

/** Characters with a meaning anywhere in a line: emphasis, code, HTML, tables, formulas, strike-through. */
const ANYWHERE = /[\\`*|$~]|<(?=[a-z/!?])|&(?=#?\w{1,32};)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu
/** A bare address. Viewers read the backslashes in it as part of it. */
const ESCAPED_ADDRESS = /\bhttps?:\/\/(?:\\[^<`\\]|[^\s<>"`\\])+/gi
const HARMLESS_IN_ADDRESS = /\\([~|$])(?!\\?\1)/g
/**
 * The beginning of a link, a picture or a footnote, which may end on a later line. To many viewers `\[` begins a
 * formula.
 */
const LINK = /\[(?=[[^]|[^\]]{0,1000}(?:\][([:]|$))/g
/** What a line begins with that is a heading, a quote, a list, a rule, an underline or a block of an extension. */
const LINE_BEGIN = /^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|(?:-[\t ]*){2,}$|=+[\t ]*$|:::|\d{1,9}(?=[.)](?:\s|$)))/
/** Indented lines and fences. */
const LAID_OUT = /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/m

/**
 * Typed text as Markdown that reads the same: escaped, with its lines. A text with code or indented lines is fenced as
 * a whole.
 */
export function plainMarkdown(text: string): string {
  if (LAID_OUT.test(text)) return fenced(text)
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      const next = lines[at + 1]
      const isBroken = line.trim() !== '' && next !== undefined && next.trim() !== ''
      return lineMarkdown(line) + (isBroken ? '  ' : '')
    })
    .join('\n')
}

/** A name or a title within a line. */
export function inlineMarkdown(text: string): string {
  // Hash marks at the end would close a heading.
  return escaped(text.replace(/\s+/g, ' ').trim()).replace(/#+$/, marks => `\\${marks}`)
}

function lineMarkdown(line: string): string {
  const kept = line.trimEnd()
  const [whole = '', space = '', begin = ''] = LINE_BEGIN.exec(kept) ?? []
  const rest = kept.slice(whole.length)
  if (/^\d/.test(begin)) return `${space}${begin}\\${rest.slice(0, 1)}${escaped(rest.slice(1))}`
  return begin === '' ? escaped(kept) : `${space}\\${begin}${escaped(rest)}`
}

function escaped(text: string): string {
  return text
    .replace(ANYWHERE, mark => `\\${mark}`)
    .replace(ESCAPED_ADDRESS, address => address.replace(HARMLESS_IN_ADDRESS, '$1'))
    .replace(LINK, '&#91;')
}

/** Characters of a question in its heading. */
const HEADLINE = 80

/** The first line that is not blank, without marks at its beginning. */
function headline(text: string, longest = HEADLINE): string {
  const line =
    text
      .split('\n')
      .map(each => each.replace(/^[\s#>*+`-]+/, '').trim())
      .find(each => each !== '') ?? ''
  return shortenedLine(line, longest)
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

/** Downloads a conversation as it is stored now: as Markdown in a zip where files went with it. */
export async function exportConversation(id: string, format: 'markdown' | 'json'): Promise<void> {
  const [history] = await Promise.all([
    call(readConversation, { params: { id }, query: {} }),
    fetchModule(() => loadTexts('transfer')),
  ])
  const now = new Date()
  const nameOf = (extension: string) => fileNameOf(history.title, t('transfer.fileName'), extension)
  if (format === 'json') return saveFile(nameOf('json'), fileOf(history, now))
  const [portal, files] = await Promise.all([
    queryClient.ensureQueryData(portalQuery),
    exportedFiles(pathTo(history.mapping, history.current_node)),
    loadToolNames(),
  ])
  const text = markdownOf(history, {
    t,
    language: currentLanguage(),
    modelName: code => modelName(code, portal, t),
    product: portal.name ?? t('app.name'),
    now,
    files: files.paths,
  })
  const markdown = new Blob([text], { type: 'text/markdown;charset=utf-8' })
  if (files.contents.size === 0) return saveFile(nameOf('md'), markdown)
  saveFile(nameOf('zip'), await zipOf(new Map([[nameOf('md'), markdown], ...files.contents]), now))
}
