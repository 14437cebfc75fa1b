import { readConversation } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { modelName, portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { currentLanguage, translate as t } from '#web/i18n/useTranslate.ts'
import { loadToolNames } from '#web/sources/list/toolNames.ts'
import { fileNameOf, fileOf, saveFile } from './exportedFile.ts'
import { markdownOf } from './markdownExport.ts'

/** Downloads a conversation as it is stored now. */
export async function exportConversation(id: string, format: 'markdown' | 'json'): Promise<void> {
  const history = await call(readConversation, { params: { id }, query: {} })
  const now = new Date()
  const nameOf = (extension: string) => fileNameOf(history.title, t('transfer.fileName'), extension)
  if (format === 'json') return saveFile(nameOf('json'), fileOf(history, now))
  await loadToolNames()
  const portal = await queryClient.ensureQueryData(portalQuery)
  const text = markdownOf(history, {
    t,
    language: currentLanguage(),
    modelName: code => modelName(code, portal, t),
    product: portal.name ?? t('app.name'),
    now,
  })
  saveFile(nameOf('md'), new Blob([text], { type: 'text/markdown;charset=utf-8' }))
}
