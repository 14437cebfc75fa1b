import { type ModelCapabilities, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { openFileConversations } from '#server/conversations/fileConversations.ts'
import { openaiWebProvider } from '#server/providers/openai_web/provider.ts'
import type { SourceDefinition, SourceDependencies, SourceParts } from '../source.ts'
import { openAccountCheck, checkWebAccount } from './accountChecks.ts'
import { arkoseBase, openArkose } from './arkose/arkose.ts'
import { arkoseRoutes } from './arkose/routes.ts'
import { webAsks } from './asks.ts'
import { openConversationPorts } from './conversations/ports.ts'
import { openFileAccounts } from './files/accounts.ts'
import { openWebFiles } from './files/files.ts'
import { openInterpreter } from './interpreter.ts'
import { openPlugins } from './plugins/plugins.ts'
import { accountRoutes, webFileRoutes, interpreterRoutes, conversationSyncRoutes, pluginRoutes } from './routes.ts'
import { openConversationSync } from './sync/sync.ts'

/** The service says of no model what it takes; these have always taken files, and one of them pictures. */
const presumedOf = (model: string): ModelCapabilities => ({
  ...UNKNOWN_CAPABILITIES,
  takes_pictures: model === 'gpt_4',
  takes_files: model === 'gpt_4' || model === 'gpt_4_code_interpreter',
})

/** Accounts of the web service. */
export const openaiWeb: SourceDefinition = {
  code: 'openai_web',
  keepsConversations: true,
  attachments: ['picture', 'file'],
  filesAre: 'upstream',
  takesUploads: ({ openai_web }) => !openai_web.disable_uploading,
  plan: ({ openai_web }) => (openai_web.is_plus_account ? 'paid' : 'free'),
  needsBrowserToken: configuration => arkoseBase(configuration) !== null,
  presumed: presumedOf,
  provider: openaiWebProvider,
  checkAccount: checkWebAccount,
  open: openParts,
}

function openParts(given: SourceDependencies): SourceParts {
  const { open } = given
  const closing = new AbortController()
  const accountCheck = openAccountCheck(given)
  const plugins = openPlugins(given)
  const arkose = openArkose(given)
  const interpreter = openInterpreter({ ...given, closing: closing.signal })
  const sync = openConversationSync(given)
  const fileConversations = openFileConversations({ open, source: 'openai_web' })
  const files = openWebFiles({
    ...given,
    data_dir: given.configuration().data.data_dir,
    conversations: fileConversations,
    web: openFileAccounts({ ...given, conversations: fileConversations }),
  })
  const conversations = openConversationPorts({ ...given, closing: closing.signal })
  return {
    asks: { ...webAsks(plugins), ...conversations.asks },
    conversations: conversations.ports,
    files: files.ports,
    routes(http) {
      pluginRoutes(http, plugins)
      arkoseRoutes(http, arkose)
      interpreterRoutes(http, interpreter, given)
      conversationSyncRoutes(http, sync)
      webFileRoutes(http, files)
      accountRoutes(http, accountCheck)
    },
    jobs: [conversations.job, ...sync.jobs],
    begin: sync.begin,
    origins: () => ({
      connect: given.configuration().openai_web.upload_origins,
      frame: arkose.base() === null ? [] : ["'self'"],
    }),
    close() {
      closing.abort()
      plugins.close()
    },
  }
}
