import { arkoseBase } from '#server/configuration/arkose.ts'
import { openaiWebProvider } from '#server/providers/openai_web/provider.ts'
import type { SourceDefinition } from '../source.ts'

/** Accounts of the web service. */
export const openaiWeb: SourceDefinition = {
  code: 'openai_web',
  keepsConversations: true,
  hasTeams: true,
  attachments: ['picture', 'file'],
  needsBrowserToken: configuration => arkoseBase(configuration) !== null,
  provider: openaiWebProvider,
}
