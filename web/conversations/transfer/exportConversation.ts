import { readConversation } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { modelName } from '#web/foundation/modelName.ts'
import { portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { spokenLanguage, translate as t } from '#web/i18n/useTranslate.ts'
import { fileOf } from './exportedFile.ts'
import { fileNameOf } from './fileName.ts'
import { markdownOf } from './markdownExport.ts'
import { saveFile } from './saveFile.ts'

/** One conversation as a file, as it is stored at this moment. */
export async function exportConversation(id: string, format: 'markdown' | 'json'): Promise<void> {
  const history = await call(readConversation, { params: { id }, query: {} })
  const now = new Date()
  if (format === 'json') return saveFile(nameOf(history.title, 'json'), fileOf(history, now))
  const portal = await queryClient.ensureQueryData(portalQuery)
  const text = markdownOf(history, {
    t,
    language: spokenLanguage(),
    modelName: code => modelName(code, portal, t),
    product: portal.name ?? t('app.name'),
    now,
  })
  saveFile(nameOf(history.title, 'md'), new Blob([text], { type: 'text/markdown;charset=utf-8' }))
}

function nameOf(title: string, ending: string): string {
  return fileNameOf(title, t('transfer.fileName'), ending)
}
