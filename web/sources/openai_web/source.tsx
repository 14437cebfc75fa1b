import type { Message } from '#contract/messages.ts'
import { PLUGIN_MODEL } from '#contract/models.ts'
import { filesOfQuestion, metadataWith } from '#web/files/askFiles.ts'
import { fetchModule } from '#web/foundation/failures.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { type AskFields, type HeaderConversation, type PageSource, plainSource } from '#web/sources/source.ts'
import { portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { translate } from '#web/i18n/useTranslate.ts'

const InterpreterTime = lazyComponent(() =>
  import('./interpreter/InterpreterTime.tsx').then(module => module.InterpreterTime),
)
const PluginFields = lazyComponent(() => import('./plugins/PluginPicker.tsx').then(module => module.PluginFields))
const PluginTags = lazyComponent(() => import('./plugins/PluginTags.tsx').then(module => module.PluginTags))
const ignore = () => undefined

/** Accounts of the web service, which keep conversations and files themselves. */
export const openai_web: PageSource = {
  ...plainSource('openai_web'),
  hint: 'newConversation.webHint',
  keepsConversations: true,
  hasEmptyMessages: true,
  files: {
    disabledReason: (model, { openai_web: { disable_uploading } }) =>
      disable_uploading ? 'composer.noFilesForYou' : model?.takes_files === true ? null : 'composer.noFilesWithModel',
    loadDrafts: () => import('./uploads/draftUploads.tsx').then(({ draftUploads }) => draftUploads),
    metadataOf: metadataWith,
    fieldsOf: filesOfQuestion,
  },
  newConversation: {
    hasFields: model => model === PLUGIN_MODEL,
    Fields: PluginFields,
    fieldsOf: request => {
      const plugin_ids = request?.openai_web_plugin_ids ?? []
      return plugin_ids.length > 0 ? { openai_web_plugin_ids: plugin_ids } : {}
    },
    metadataOf: ({ openai_web_plugin_ids = null }) => ({ source: 'openai_web', plugin_ids: openai_web_plugin_ids }),
  },
  /** A conversation in the workspace of a team names it. */
  markOf: ({ source_id }) => (source_id === null ? null : 'conversations.team'),
  headerParts,
  loadAdminSlots: () => import('./admin/slots.ts').then(({ slots }) => slots),
  loadToolNames: () =>
    import('./plugins/plugin.ts').then(({ knownName, useNameOf }) => ({ known: knownName, useName: useNameOf })),
  toolFileAddress: async (...file) =>
    (await fetchModule(() => import('./interpreter/sandboxFile.ts'))).sandboxFileAddress(...file),
  fetchFields: fetchTokenFields,
}

/** How long the interpreter keeps its files, and the plugins. */
function headerParts({ id, fields, history, messages }: HeaderConversation) {
  const plugin_ids = history?.metadata?.plugin_ids ?? fields.openai_web_plugin_ids ?? []
  const run = id === null ? null : lastRunIn(messages, history)
  return [
    ...(id === null || run === null
      ? []
      : [<InterpreterTime key={`${id} ${run}`} conversation_id={id} run={run} onLoadError={ignore} />]),
    ...(plugin_ids.length === 0
      ? []
      : [<PluginTags key={plugin_ids.join(' ')} ids={plugin_ids} onLoadError={ignore} />]),
  ]
}

/**
 * The last stored message with the result of a code run. Before the first result nobody knows where the interpreter of
 * the conversation is.
 */
function lastRunIn(messages: readonly Message[], history: HeaderConversation['history']): string | null {
  const isRun = ({ id, role, author_name }: Message) =>
    role === 'tool' && author_name === 'python' && history?.mapping[id] !== undefined
  return messages.findLast(isRun)?.id ?? null
}

/** Fetches a token from the Arkose endpoint, where the portal has one; null where it has none. */
function fetchTokenFields(signal: AbortSignal): Promise<AskFields> | null {
  const isNeeded = queryClient.getQueryData(portalQuery.queryKey)?.needs_arkose_token === true
  return isNeeded ? tokenFor(signal).then(arkose_token => ({ arkose_token })) : null
}

let hasFailed = false

/** Null when there is none. The first failure in a row shows a toast, unless the user chose to skip the puzzle. */
async function tokenFor(signal: AbortSignal): Promise<string | null> {
  const outcome = await fetchModule(() => import('./arkose/arkoseToken.ts')).then(
    ({ fetchArkoseToken }) => fetchArkoseToken(signal),
    () => ({ failed: 'unreachable' }) as const,
  )
  if ('token' in outcome) {
    hasFailed = false
    return outcome.token
  }
  if (outcome.failed !== 'aborted' && outcome.failed !== 'skipped' && !hasFailed) {
    hasFailed = true
    toast.refusal(translate('asking.withoutArkose'), translate('errors.arkoseError'))
  }
  return null
}
