import { answerTo, tokensOf, asksForTitle, languageOf, titleFor, withoutTitleRequest } from '../answers/answer.ts'
import { type Directives, readDirectives, stampNow } from '../foundation/directives.ts'
import { seenIn } from './content.ts'
import type { ChatRequest } from './request.ts'

/** The answer to a request, without faults. A stamped token is made when it is sent. */
export type Reply = {
  count: number
  token: (index: number) => string
  finish_reason: 'stop' | 'length'
  prompt_tokens: number
  /** A request for a title; faults and prepared answers are not used up by it. */
  title: boolean
  /** A tool has given something since the last question. */
  isAboutResult: boolean
  directives: Directives
}

export function replyTo(request: ChatRequest, takeAnswer: () => string | undefined): Reply {
  const questions = request.messages.filter(message => message.role === 'user')
  const asked = questions.map(message => message.text)
  const last = asked.at(-1) ?? ''
  const title = asksForTitle(last)
  const { question, directives } = title ? { question: last, directives: {} } : readDirectives(last)
  const first = readDirectives(withoutTitleRequest(asked[0] ?? '')).question
  const prompt_tokens = request.messages.reduce((sum, message) => sum + tokensOf(message.text).length + 4, 3)
  const latest = request.messages.findLast(({ role }) => role === 'user' || role === 'tool')
  const isAboutResult = latest?.role === 'tool'
  const language = languageOf(question) === 'chinese' ? 'chinese' : 'english'
  const seen = latest === undefined || directives.tokens !== undefined ? undefined : seenIn(latest, language)
  const given = isAboutResult ? [`The tool gave: ${latest.text.trim()}`, seen].filter(Boolean).join('\n\n') : seen
  const common = { prompt_tokens, title, isAboutResult, directives }

  if (directives.stamp) return { ...common, count: directives.tokens ?? 200, token: stampNow, finish_reason: 'stop' }
  const prepared = title ? titleFor(first) : (takeAnswer() ?? (directives.echo ? question : given || undefined))
  const whole =
    prepared === undefined
      ? answerTo(question, {
          seed: directives.seed,
          tokens: directives.tokens,
          first: asked.length > 1 ? first : undefined,
        })
      : tokensOf(prepared)
  const stopped = cutAtStop(whole, request.stop)
  const limit = request.max_tokens ?? Infinity
  const tokens = stopped.length > limit ? stopped.slice(0, limit) : stopped
  return {
    ...common,
    count: tokens.length,
    token: index => tokens[index] ?? '',
    finish_reason: tokens.length < stopped.length ? 'length' : 'stop',
  }
}

/** Cuts the answer before a stop word, which may span tokens. */
function cutAtStop(tokens: string[], stop: string[]): string[] {
  if (stop.length === 0) return tokens
  const text = tokens.join('')
  const ends = stop.map(word => text.indexOf(word)).filter(at => at >= 0)
  return ends.length === 0 ? tokens : tokensOf(text.slice(0, Math.min(...ends)))
}
