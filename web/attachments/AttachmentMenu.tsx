import { useState } from 'react'
import { Popover } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconChevronDown } from '#web/kit/icons.ts'
import styles from './attachments.module.css'
import { FormChoice } from './FormChoice.tsx'
import { NARROW } from './narrow.ts'
import type { RowProps } from './plan.ts'
import { TextDialog } from './TextDialog.tsx'

/** How the document goes with the question: opened by a chevron, on phones as a sheet. */
export function AttachmentMenu({ planned, draft, shared, onRemove }: RowProps) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const [isRead, setRead] = useState(false)
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const { name } = planned.attachment
  const label = t('attachments.menu', { name })
  const close = () => setOpened(false)
  const choice = (
    <FormChoice
      planned={planned}
      draft={draft}
      shared={shared}
      onRead={() => {
        close()
        setRead(true)
      }}
      onRemove={() => {
        close()
        onRemove()
      }}
    />
  )
  const button = (
    <IconButton
      label={label}
      data-testid="attachment-menu"
      aria-haspopup="dialog"
      aria-expanded={opened}
      onClick={() => setOpened(!opened)}
    >
      <IconChevronDown size={16} aria-hidden />
    </IconButton>
  )
  return (
    <>
      {isNarrow ? (
        <>
          {button}
          {opened && (
            <Dialog title={name} onClose={close}>
              {choice}
            </Dialog>
          )}
        </>
      ) : (
        <Popover opened={opened} onChange={setOpened} position="top-end" width={400} shadow="lg" trapFocus returnFocus>
          <Popover.Target>{button}</Popover.Target>
          <Popover.Dropdown className={styles.popover} aria-label={label}>
            <p className={styles.popoverTitle}>
              <bdi>{name}</bdi>
            </p>
            {choice}
          </Popover.Dropdown>
        </Popover>
      )}
      {isRead && <TextDialog attachment={planned.attachment} onClose={() => setRead(false)} />}
    </>
  )
}
