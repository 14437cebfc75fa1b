import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDots, IconDownload, IconTrash, IconUpload } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { removeAll } from './conversationActions.ts'
import { MenuButton, type MenuEntry } from './MenuButton.tsx'
import styles from './sidebar.module.css'
import { readAllAnew } from './useConversations.ts'

const ExportAllDialog = lazyComponent(() =>
  import('#web/transfer/ExportAllDialog.tsx').then(module => module.ExportAllDialog),
)
const ImportDialog = lazyComponent(() => import('#web/transfer/ImportDialog.tsx').then(module => module.ImportDialog))

/** What is done with all of one's conversations. */
export function ListMenu({ count }: { count: number }) {
  const t = useTranslate()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'export' | 'import' | null>(null)
  const close = () => setOpen(null)
  const removeThem = async () => {
    if (await removeAll(count)) await navigate({ to: '/conversation', search: {} })
  }
  const entries: MenuEntry[] = [
    {
      label: t('transfer.import'),
      icon: <IconUpload size={16} aria-hidden />,
      testid: 'import',
      run: () => setOpen('import'),
    },
  ]
  if (count > 0) {
    entries.push(
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
    )
  }
  return (
    <>
      <MenuButton label={t('conversations.actionsOfAll')} className={styles.listMenu} entries={entries}>
        <IconDots size={16} aria-hidden />
      </MenuButton>
      {open === 'export' && <ExportAllDialog onClose={close} onLoadError={close} />}
      {open === 'import' && (
        <ImportDialog onImported={() => readAllAnew(queryClient)} onClose={close} onLoadError={close} />
      )}
    </>
  )
}
