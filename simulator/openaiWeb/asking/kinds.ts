import { tokensOf, answerTo } from '../../answers/answer.ts'
import { VOICES } from '../../answers/voice.ts'
import { readDirectives } from '../../foundation/directives.ts'
import {
  type WebConversation,
  aMessage,
  code,
  text,
  type WebContent,
  type WebMessage,
  textOf,
} from '../state/conversation.ts'
import { growing, type Step } from './writer.ts'
import { final, type Shape, type ShapeContext, remark } from './shape.ts'

const [BEGIN, END, PART] = ['\uE200', '\uE201', '\uE202']
const mark = (...parts: string[]): string => `${BEGIN}${parts.join(PART)}${END}`

const CITE = mark('cite', 'turn0search0')
const ENTITY = mark('entity', '["place","Tea House","Paris"]')
const LINK = mark('url', 'its menu', 'https://example.org/menu')
const LIST = mark('navlist', 'More on tea', 'turn0news1')

const REFERENCES = [
  {
    matched_text: CITE,
    type: 'grouped_webpages',
    alt: '([example.org](https://example.org/tea))',
    items: [{ title: 'Opening hours', url: 'https://example.org/tea', attribution: 'example.org' }],
  },
  { matched_text: ENTITY, type: 'entity', name: 'Tea House', alt: 'Tea House', category: 'place' },
  {
    matched_text: LIST,
    type: 'nav_list',
    alt: '',
    items: [{ title: 'A short history of tea', url: 'https://example.org/history' }],
  },
]

/**
 * The kinds of messages of 2025 and 2026: notes, thoughts, the canvas, calls by channels, marks in the text, contents
 * of new types.
 */
export const kinds: Shape = context => [
  said(context, { content_type: 'model_editable_context', model_set_context: 'Likes tea.', repository: null }, HIDDEN),
  said(context, {
    content_type: 'thoughts',
    thoughts: [{ summary: 'Looking at the tea', content: 'The opening hours are wanted.', chunks: [], finished: true }],
    source_analysis_msg_id: 'x',
  }),
  called(context, 'web.run', '{"search_query":[{"q":"tea house opening hours"}],"response_length":"short"}'),
  replied(context, 'web.run', text('')),
  said(context, { content_type: 'reasoning_recap', content: 'Thought for 9s' }),
  called(context, 'bio', 'Likes tea.', HIDDEN),
  replied(context, 'bio', text('Model set context updated.')),
  said(context, text('Let me note that.'), { channel: 'commentary' }),
  called(context, 'canmore.create_textdoc', JSON.stringify({ name: 'Tea plan', type: 'document', content: PLAN })),
  replied(context, 'canmore.create_textdoc', text('Successfully created text document with textdoc_id: 123')),
  called(context, 'canmore.update_textdoc', '{"updates":[{"pattern":"nine","replacement":"ten"}]}'),
  replied(context, 'canmore.update_textdoc', text('Successfully updated text document with textdoc_id: 123')),
  replied(context, 'computer.do', {
    content_type: 'computer_output',
    computer_id: '7',
    screenshot: { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00000000screen' },
    state: { type: 'browser_state', title: 'The tea house', url: 'https://example.org/tea', dom: null },
  }),
  said(context, { content_type: 'super_widget', widget: { kind: 'clock', id: 'w-1' } }),
  said(context, { content_type: 'daily_card', card_id: 'c-1', title: 'A card', cards: [{ text: 'Tea at nine' }] }),
  final(context, `The tea house opens at nine. ${CITE} ${ENTITY} has ${LINK}.\n\n${LIST}\n\nEnd.`, () => ({
    content_references: REFERENCES,
  })),
]

const PLAN = '# Tea\n\nAt nine, "with cups".'
const HIDDEN: Partial<WebMessage> = { metadata: { is_visually_hidden_from_conversation: true } }

function said({ ask }: ShapeContext, content: WebContent, more: Partial<WebMessage> = {}): Step {
  const metadata = { model_slug: ask.model, ...more.metadata }
  return { message: aMessage('assistant', content, { end_turn: false, ...more, metadata }) }
}

function called({ ask }: ShapeContext, recipient: string, words: string, more: Partial<WebMessage> = {}): Step {
  const metadata = { model_slug: ask.model, ...more.metadata }
  return growing(
    aMessage('assistant', code('', 'json'), { recipient, end_turn: false, channel: 'commentary', ...more, metadata }),
    tokensOf(words),
  )
}

const replied = ({ ask }: ShapeContext, name: string, content: WebContent): Step => ({
  message: aMessage('tool', content, { name, weight: 0, metadata: { model_slug: ask.model } }),
})

/** One text. */
export const plain: Shape = context => [textStep(context)]

/** Several messages: a remark, a hidden system message, content of a kind that nobody knows, and the answer. */
export const several: Shape = context => [
  remark(context, VOICES[context.language].text('several.remark')),
  { message: aMessage('system', text('The reader prefers short answers.'), { weight: 0 }) },
  {
    message: aMessage(
      'assistant',
      { content_type: 'model_editable_context', model_set_context: '', repository: null },
      { end_turn: false, recipient: 'bio', metadata: { model_slug: context.ask.model } },
    ),
  },
  textStep(context),
]

function textStep(context: ShapeContext): Step {
  const { ask, prepared } = context
  return final(
    { ...context, prepared: prepared ?? (ask.question ? textAnswer(ask.conversation, ask.question) : '') },
    '',
  )
}

/** The text that answers a message of a conversation: always the same for the same words. */
export function textAnswer({ mapping }: WebConversation, asked: WebMessage): string {
  const { question, directives } = readDirectives(textOf(asked))
  const first = Object.values(mapping).find(node => node.message?.author.role === 'user')?.message ?? asked
  return answerTo(question, {
    seed: directives.seed,
    tokens: directives.tokens,
    first: first.id === asked.id ? undefined : readDirectives(textOf(first)).question,
  }).join('')
}
