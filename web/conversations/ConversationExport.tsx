import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDots } from '#web/kit/icons.ts'
import { useExportEntry } from './exportEntry.tsx'
import { MenuButton } from './MenuButton.tsx'
import styles from './sidebar.module.css'

/** The menu of a conversation that is only read. */
export function ConversationExport({ id, title }: { id: string; title: string }) {
  const t = useTranslate()
  return (
    <MenuButton label={t('conversations.actions')} className={styles.dots} entries={[useExportEntry(id, title)]}>
      <IconDots size={16} aria-hidden />
    </MenuButton>
  )
}
