import type { HeldProvider } from '#testing/heldProvider.ts'
import { openaiApiProvider } from './provider.ts'

/** This provider as the provider contract holds it. */
export const heldOpenaiApi: HeldProvider = {
  source: 'openai_api',
  make: openaiApiProvider,
  address: ({ url }) => url,
  deadlines: {
    connect: 'openai_api.connect_timeout',
    first_token: 'openai_api.first_token_timeout',
    pause: 'openai_api.read_timeout',
    whole: 'openai_api.ask_timeout',
  },
  tested_path: '/v1/models',
  lists_models: true,
  ended: { whole: { finish_reason: 'stop' }, cut: { finish_reason: 'length' } },
}
