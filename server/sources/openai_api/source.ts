import { openaiApiProvider } from '#server/providers/openai_api/provider.ts'
import type { SourceDefinition } from '../source.ts'

/** Endpoints with a key: each question brings the conversation along. */
export const openaiApi: SourceDefinition = {
  code: 'openai_api',
  keepsConversations: false,
  hasTeams: false,
  attachments: [],
  needsBrowserToken: () => false,
  provider: openaiApiProvider,
}
