import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { fetchModule, reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDots, IconDownload, IconPencil, IconTrash, IconUpload } from '#web/kit/icons.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import type { MenuEntry } from '#web/kit/OpenedMenu.tsx'
import { remove, removeAll } from './conversationActions.ts'
import { refreshAll } from './useConversations.ts'
import { keepFocusNear } from './rowKeys.ts'
import styles from './sidebar.module.css'

const ExportAllDialog = lazyWithTexts('transfer', () =>
  import('#web/transfer/ExportAllDialog.tsx').then(module => module.ExportAllDialog),
)
const DeletedDialog = lazyWithTexts('keeping', () =>
  import('./keeping/DeletedDialog.tsx').then(module => module.DeletedDialog),
)
const ImportDialog = lazyWithTexts('transfer', () =>
  import('#web/transfer/ImportDialog.tsx').then(module => module.ImportDialog),
)

type ConversationMenuProps = { id: string; title: string; label: string; open: boolean; onRename(): void }

export function ConversationMenu({ id, title, label, open, onRename }: ConversationMenuProps) {
  const t = useTranslate()
  const navigate = useNavigate()
  const exporting = useExportEntry(id, title)
  const reopen = () => {
    if (open) void navigate({ to: '/conversation', search: { id } })
  }
  const removeIt = async () => {
    const restoreFocus = keepFocusNear(id)
    if (!(await remove(id, title, reopen))) return
    // When the open conversation is deleted, a new one is shown, which takes the focus.
    if (open) await navigate({ to: '/conversation', search: {} })
    else restoreFocus()
  }
  return (
    <MenuButton
      label={label}
      className={styles.dots}
      entries={[
        { label: t('conversations.rename'), icon: <IconPencil size={16} aria-hidden />, run: onRename },
        exporting,
        {
          label: t('conversations.delete'),
          icon: <IconTrash size={16} aria-hidden />,
          danger: true,
          run: () => void removeIt(),
        },
      ]}
    >
      <IconDots size={16} aria-hidden />
    </MenuButton>
  )
}

/** The menu of a conversation that can only be read. */
export function ReadOnlyMenu({ id, title }: { id: string; title: string }) {
  const t = useTranslate()
  return (
    <MenuButton label={t('conversations.actions')} className={styles.dots} entries={[useExportEntry(id, title)]}>
      <IconDots size={16} aria-hidden />
    </MenuButton>
  )
}

/** The menu of what can be done with all of one's conversations. */
export function ListMenu({ count }: { count: number }) {
  const t = useTranslate()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'export' | 'import' | 'deleted' | null>(null)
  const close = () => setOpen(null)
  const removeThem = async () => {
    if (await removeAll(count)) await navigate({ to: '/conversation', search: {} })
  }
  const importing = {
    label: t('transfer.import'),
    icon: <IconUpload size={16} aria-hidden />,
    testid: 'import',
    run: () => setOpen('import'),
  }
  const deleted = {
    label: t('conversations.deletedList'),
    icon: <IconTrash size={16} aria-hidden />,
    testid: 'deleted',
    run: () => setOpen('deleted'),
  }
  const ofExisting: MenuEntry[] = [
    {
      label: t('transfer.exportAll'),
      icon: <IconDownload size={16} aria-hidden />,
      testid: 'export-all',
      run: () => setOpen('export'),
    },
    {
      label: t('conversations.deleteAll'),
      icon: <IconTrash size={16} aria-hidden />,
      danger: true,
      run: () => void removeThem(),
    },
  ]
  return (
    <>
      <MenuButton
        label={t('conversations.actionsOfAll')}
        className={styles.listMenu}
        entries={count > 0 ? [importing, deleted, ...ofExisting] : [importing, deleted]}
      >
        <IconDots size={16} aria-hidden />
      </MenuButton>
      {open === 'export' && <ExportAllDialog onClose={close} onLoadError={close} />}
      {open === 'deleted' && <DeletedDialog onClose={close} onLoadError={close} />}
      {open === 'import' && (
        <ImportDialog onImported={() => refreshAll(queryClient)} onClose={close} onLoadError={close} />
      )}
    </>
  )
}

/** The entry with the export formats. The code that makes the files is loaded with the first export. */
function useExportEntry(id: string, title: string): MenuEntry {
  const t = useTranslate()
  const navigate = useNavigate()
  const open = () => navigate({ to: '/conversation', search: { id } })
  return {
    label: t('transfer.export'),
    icon: <IconDownload size={16} aria-hidden />,
    testid: 'export-menu',
    entries: [
      { label: t('transfer.markdown'), testid: 'export-markdown', run: () => exportAs(id, 'markdown') },
      { label: t('transfer.json'), testid: 'export-json', run: () => exportAs(id, 'json') },
      { label: t('transfer.print'), testid: 'export-print', run: () => print(id, title, open) },
    ],
  }
}

function exportAs(id: string, format: 'markdown' | 'json'): void {
  fetchModule(() => import('#web/transfer/markdownExport.ts'))
    .then(({ exportConversation }) => exportConversation(id, format))
    .catch(reportFailure)
}

function print(id: string, title: string, open: () => Promise<void>): void {
  fetchModule(() => import('#web/transfer/printConversation.ts'))
    .then(({ printConversation }) => printConversation(id, title, open))
    .catch(reportFailure)
}
