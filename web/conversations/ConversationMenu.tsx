import { useNavigate } from '@tanstack/react-router'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDots, IconPencil, IconTrash } from '#web/kit/icons.ts'
import { remove } from './conversationActions.ts'
import { useExportEntry } from './exportEntry.tsx'
import { MenuButton } from './MenuButton.tsx'
import { keepPlaceOf } from './rowKeys.ts'
import styles from './sidebar.module.css'

type ConversationMenuProps = { id: string; title: string; label: string; open: boolean; onRename(): void }

export function ConversationMenu({ id, title, label, open, onRename }: ConversationMenuProps) {
  const t = useTranslate()
  const navigate = useNavigate()
  const exporting = useExportEntry(id, title)
  const goBack = () => {
    if (open) void navigate({ to: '/conversation', search: { id } })
  }
  const removeIt = async () => {
    const goOnInList = keepPlaceOf(id)
    if (!(await remove(id, title, goBack))) return
    // What is open is left for a new conversation, and the focus with it.
    if (open) await navigate({ to: '/conversation', search: {} })
    else goOnInList()
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
