import { Drawer } from '@mantine/core'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import type { ReactNode } from 'react'
import { useHistoryNavigation } from './Dialog.tsx'
import styles from './SideDrawer.module.css'
import { toastsBelow } from './Toasts.tsx'

type SideDrawerProps = { title: string; closeLabel: string; opened: boolean; onClose(): void; children: ReactNode }

/** A drawer for what a wide screen shows in a column at the left. */
export function SideDrawer({ title, closeLabel, opened, onClose, children }: SideDrawerProps) {
  useHistoryNavigation(onClose)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="left"
      size={300}
      withOverlay
      trapFocus
      closeOnClickOutside
      padding={0}
      title={
        <span className={styles.title} ref={toastsBelow}>
          {title}
        </span>
      }
      closeButtonProps={{ 'aria-label': closeLabel }}
      classNames={{ content: styles.content, header: styles.header, body: styles.body }}
    >
      {children}
    </Drawer>
  )
}
