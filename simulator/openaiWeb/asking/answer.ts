import { languageOf, answerTo } from '../../answers/answer.ts'
import { randomFrom, seedOf } from '../../answers/random.ts'
import { type Directives, readDirectives, stampNow } from '../../foundation/directives.ts'
import type { WebCall } from '../state/call.ts'
import { type WebConversation, textOf, type WebMessage } from '../state/conversation.ts'
import type { WebAsk } from './request.ts'
import { browsing, dalle, dalleError, attachmentsOf, files, picturesOf, pluginError, plugins } from './tools.ts'
import { interpreter, interpreterError } from './interpreter.ts'
import { kinds, plain, several, textAnswer } from './kinds.ts'
import { final, type Shape, type ShapeContext } from './shape.ts'
import type { Step } from './writer.ts'

/** The answer, without faults. */
export type WebAnswer = { steps: Step[]; directives: Directives }

const SHAPES: Readonly<Record<string, Shape>> = {
  text: plain,
  several,
  browsing,
  plugins,
  'plugins-error': pluginError,
  interpreter,
  'interpreter-error': interpreterError,
  dalle,
  'dalle-error': dalleError,
  files,
  kinds,
}

/** The shape of a model's answer when no directive asks for another, by the upstream's model name. */
const SHAPE_OF_MODEL: Readonly<Record<string, Shape>> = {
  'gpt-4-browsing': browsing,
  'gpt-4-plugins': plugins,
  'gpt-4-code-interpreter': interpreter,
  'gpt-4-dalle': dalle,
}

export function answerOf(ask: WebAsk, { account, upstream }: Pick<WebCall, 'account' | 'upstream'>): WebAnswer {
  const { question, directives } = readDirectives(ask.words)
  const prepared = upstream.takeAnswer() ?? (directives.echo ? question : exactly(question, directives))
  const seed = directives.seed ?? seedOf(question)
  const language = languageOf(question)
  const context: ShapeContext = { ask, account, question, language, random: randomFrom(seed), prepared }
  if (directives.stamp) {
    const { message } = final(context, '')
    return { directives, steps: [{ message, tokens: { count: directives.tokens ?? 200, token: stampNow } }] }
  }
  if (ask.question === null)
    return { directives, steps: [final({ ...context, prepared: prepared ?? remainder(ask) }, '')] }
  const steps = shapeFor(context, directives.words?.shape)(context)
  return { directives, steps: limited(steps, directives.words?.limit) }
}

/** A text of the wanted length; undefined when none is wanted. */
function exactly(question: string, { tokens, seed }: Directives): string | undefined {
  return tokens === undefined ? undefined : answerTo(question, { tokens, seed }).join('')
}

function shapeFor(context: ShapeContext, name: string | undefined): Shape {
  const named = name !== undefined && Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined
  if (named) return named
  if (attachmentsOf(context).length + picturesOf(context) > 0 && context.ask.model === 'gpt-4') return files
  const { model } = context.ask
  if (model === 'gpt-4-plugins' && context.ask.conversation.plugin_ids === null) return plain
  return (Object.hasOwn(SHAPE_OF_MODEL, model) ? SHAPE_OF_MODEL[model] : undefined) ?? plain
}

/** The answer with its last message cut off after so many tokens, and marked so. */
function limited(steps: Step[], limit: string | undefined): Step[] {
  const last = steps.at(-1)
  const count = Number(limit)
  if (limit === undefined || !last?.tokens || !(count >= 1) || count >= last.tokens.count) return steps
  const metadata = { ...last.message.metadata, finish_details: { type: 'max_tokens' }, is_complete: false }
  return [...steps.slice(0, -1), { message: { ...last.message, metadata }, tokens: { ...last.tokens, count } }]
}

/** The part of an answer that was cut off. */
function remainder({ conversation, parent }: WebAsk): string {
  const asked = questionAbove(conversation, parent)
  const sent = conversation.mapping[parent]?.message
  const whole = asked ? textAnswer(conversation, asked) : ''
  const from = sent ? textOf(sent).length : 0
  return sent && whole.length > from && whole.startsWith(textOf(sent)) ? whole.slice(from) : `…\n\n${whole}`
}

function questionAbove({ mapping }: WebConversation, id: string): WebMessage | undefined {
  let node = mapping[id]
  for (let steps = 0; node && steps < 10_000; steps += 1) {
    if (node.message?.author.role === 'user') return node.message
    node = mapping[node.parent ?? '']
  }
  return undefined
}
