import { answerTo, tokensOf } from '../../answers/answer.ts'
import { type Directives, readDirectives } from '../../directives.ts'
import { stampNow } from '../../openaiApi/reply.ts'
import type { Upstream } from '../../upstream.ts'
import { aMessage, text } from '../messages.ts'
import type { WebAsk } from './request.ts'
import { growing, type Step } from './steps.ts'

/** What is answered, without faults. */
export type WebAnswer = { steps: Step[]; directives: Directives }

export function answerOf(ask: WebAsk, { takeAnswer }: Pick<Upstream, 'takeAnswer'>): WebAnswer {
  const { question, directives } = readDirectives(ask.words)
  const message = aMessage('assistant', text(''), {
    end_turn: true,
    metadata: { model_slug: ask.model, finish_details: { type: 'stop', stop: '<|im_end|>' }, timestamp_: 'absolute' },
  })
  if (directives.stamp)
    return { directives, steps: [{ message, tokens: { count: directives.tokens ?? 200, token: stampNow } }] }
  const prepared = takeAnswer() ?? (directives.echo ? question : undefined)
  const tokens =
    prepared === undefined
      ? answerTo(question, { seed: directives.seed, tokens: directives.tokens })
      : tokensOf(prepared)
  return { directives, steps: [growing(message, tokens)] }
}
