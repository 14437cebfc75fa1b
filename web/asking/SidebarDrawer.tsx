import { Drawer } from '@mantine/core'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import type { ReactNode } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './screen.module.css'

/** The list on small screens, over the conversation. */
export function SidebarDrawer({ opened, onClose, children }: { opened: boolean; onClose(): void; children: ReactNode }) {
  const t = useTranslate()
  return (
    <Drawer opened={opened} onClose={onClose} position="left" size={300} withOverlay trapFocus closeOnClickOutside padding={0}
      title={<span className={styles.drawerTitle}>{t('conversations.list')}</span>} closeButtonProps={{ 'aria-label': t('conversations.closeList') }}
      classNames={{ content: styles.drawer, header: styles.drawerHeader, body: styles.drawerBody }}>
      {children}
    </Drawer>
  )
}
