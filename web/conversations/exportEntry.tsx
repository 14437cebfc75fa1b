import { useNavigate } from '@tanstack/react-router'
import { reportFailure } from '#web/foundation/failures.ts'
import { fetchModule } from '#web/foundation/fetchModule.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDownload } from '#web/kit/icons.ts'
import type { MenuEntry } from './MenuButton.tsx'

/** The menu entry with the export formats. The code that makes the files is loaded with the first export. */
export function useExportEntry(id: string, title: string): MenuEntry {
  const t = useTranslate()
  const navigate = useNavigate()
  const open = () => navigate({ to: '/conversation', search: { id } })
  return {
    label: t('transfer.export'),
    icon: <IconDownload size={16} aria-hidden />,
    testid: 'export-menu',
    entries: [
      { label: t('transfer.markdown'), testid: 'export-markdown', run: () => void done(exportAs(id, 'markdown')) },
      { label: t('transfer.json'), testid: 'export-json', run: () => void done(exportAs(id, 'json')) },
      { label: t('transfer.print'), testid: 'export-print', run: () => void done(print(id, title, open)) },
    ],
  }
}

async function exportAs(id: string, format: 'markdown' | 'json'): Promise<void> {
  const { exportConversation } = await fetchModule(() => import('#web/transfer/exportConversation.ts'))
  await exportConversation(id, format)
}

async function print(id: string, title: string, open: () => Promise<void>): Promise<void> {
  const { printConversation } = await fetchModule(() => import('#web/transfer/printConversation.ts'))
  await printConversation(id, title, open)
}

async function done(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    reportFailure(error)
  }
}
