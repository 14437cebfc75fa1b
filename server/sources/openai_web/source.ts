import { openaiWebProvider } from '#server/providers/openai_web/provider.ts'
import type { SourceDefinition, SourceDependencies, SourceParts } from '../source.ts'
import { arkoseBase, openArkose } from './arkose/arkose.ts'
import { arkoseRoutes } from './arkose/routes.ts'
import { openPlugins } from './plugins/plugins.ts'
import { pluginRoutes } from './plugins/routes.ts'

/** Accounts of the web service. */
export const openaiWeb: SourceDefinition = {
  code: 'openai_web',
  keepsConversations: true,
  hasTeams: true,
  attachments: ['picture', 'file'],
  needsBrowserToken: configuration => arkoseBase(configuration) !== null,
  provider: openaiWebProvider,
  open: openParts,
}

function openParts(given: SourceDependencies): SourceParts {
  const plugins = openPlugins(given)
  const arkose = openArkose(given)
  return {
    asks: { upstreamsFor: plugins.accountsFor },
    routes(http) {
      pluginRoutes(http, plugins)
      arkoseRoutes(http, arkose)
    },
    close: plugins.close,
  }
}
