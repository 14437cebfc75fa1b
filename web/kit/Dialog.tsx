import { Modal } from '@mantine/core'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './Dialog.module.css'

type DialogProps = {
  title: ReactNode
  /** 500 for forms, 600 for the profile, 420 for confirmations; `all`: the children show the title and close it. */
  width?: 420 | 500 | 600 | 'all'
  onClose(): void
  /** Going back does not close it, because something runs in it. */
  busy?: boolean
  children: ReactNode
}

/** Open as long as it is mounted. On a phone it is a sheet from the bottom. */
export function Dialog({ title, width = 500, onClose, busy = false, children }: DialogProps) {
  const t = useTranslate()
  const root = useRef<HTMLDivElement>(null)
  useFocusReturn()
  useFocusInside(root)
  useHistoryNavigation(() => {
    if (!busy) onClose()
  })
  const name = typeof title === 'string' ? title : undefined
  const whole = width === 'all' && {
    fullScreen: true,
    title: null,
    withCloseButton: false,
    attributes: { content: { 'aria-label': name } },
    classNames: { content: styles.whole, body: styles.wholeBody },
  }
  return (
    <Modal
      ref={root}
      opened
      onClose={onClose}
      title={title}
      size={width}
      closeButtonProps={{ 'aria-label': t('kit.close') }}
      attributes={{ header: { role: 'presentation' } }} // a <header> would be a second banner landmark
      classNames={{ inner: styles.inner, content: styles.content, header: styles.header, body: styles.body }}
      {...whole}
    >
      {children}
    </Modal>
  )
}

/**
 * Returns the focus at unmount. Mantine does so when a dialog is closed, but ours are unmounted without being closed.
 */
function useFocusReturn(): void {
  const [before] = useState(openers)
  useEffect(
    () => () => {
      // Unless the code that unmounted the dialog has focused something.
      setTimeout(() => {
        if (document.activeElement === document.body)
          before.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/** Keeps the focus in the dialog when the focused element is removed, such as by the next step. */
function useFocusInside(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return
    const dialog = root.current?.querySelector<HTMLElement>('[role=dialog]')
    const next = dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
    next?.focus({ preventScroll: true })
  })
}

/**
 * The elements that may get the focus back, best first: what opened the dialog, then the focusable elements around it,
 * in case the dialog has removed it. A menu item is unmounted with its menu: for one it is the button of the menu.
 */
function openers(): HTMLElement[] {
  const { activeElement } = document
  const button = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const openers: HTMLElement[] = []
  let next = button ? document.getElementById(button) : activeElement
  while (next instanceof HTMLElement && next !== document.body) {
    if (next.tabIndex >= 0 || next.hasAttribute('tabindex')) openers.push(next)
    next = next.parentElement
  }
  return openers
}

/** Right-aligned: cancel, then the verb. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className={styles.footer}>{children}</div>
}

/** Closes what lies over a page when the person goes back or forward. */
export function useHistoryNavigation(onNavigate: () => void): void {
  const notify = useEffectEvent(onNavigate)
  useEffect(() => {
    const onPopState = () => notify()
    window.addEventListener('popstate', onPopState)
    return () => window.removeEventListener('popstate', onPopState)
  }, [])
}
