import { Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Plugin } from '#contract/plugins.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { nameOf } from './plugin.ts'
import { PluginDetails } from './PluginDetails.tsx'
import styles from './plugins.module.css'

type PluginPopoverProps = {
  plugin: Plugin
  className: string | undefined
  /** In place of the details: for a plugin of which only the id is known. */
  instead?: string
  children: ReactNode
}

/** On a phone they fill most of the page, and a toast would lie on their words. */
const ABOVE_TOASTS = 'calc(var(--z-toast) + 1)'

/** A button that opens the details of a plugin. */
export function PluginPopover({ plugin, className, instead, children }: PluginPopoverProps) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const label = t('plugins.detailsOf', { name: nameOf(plugin) })
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={400}
      shadow="lg"
      zIndex={ABOVE_TOASTS}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={className}
          aria-label={label}
          data-tip={label}
          data-testid="plugin-details"
          onClick={() => setOpened(!opened)}
        >
          {children}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.details} aria-label={label} tabIndex={-1} data-autofocus>
        {instead === undefined ? (
          <PluginDetails plugin={plugin} />
        ) : (
          <>
            <p className={styles.mono}>{plugin.id}</p>
            <p className={styles.hint}>{instead}</p>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
