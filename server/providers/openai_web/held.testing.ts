import type { HeldProvider } from '#testing/heldProvider.ts'
import { openaiWebProvider } from './provider.ts'

/** This provider as the provider contract holds it. */
export const heldOpenaiWeb: HeldProvider = {
  source: 'openai_web',
  make: openaiWebProvider,
  address: ({ webUrl }) => webUrl,
  deadlines: {
    connect: 'openai_web.common_timeout',
    first_token: 'openai_web.ask_timeout',
    pause: 'openai_web.ask_timeout',
    whole: 'openai_web.ask_timeout',
  },
  tested_path: '/web/conversations',
  lists_models: false,
  ended: {
    whole: { message_status: 'finished_successfully', end_turn: true, finish_details: { type: 'stop' } },
    cut: { finish_details: { type: 'max_tokens' } },
  },
}
