import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Menu } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconChevronLeft, IconChevronRight } from '#web/kit/icons.ts'
import styles from './MenuButton.module.css'

export type MenuEntry = {
  label: string
  icon?: ReactNode
  testid?: string
  danger?: boolean
  /** Set for entries of which exactly one is chosen. */
  chosen?: boolean
} & ({ run(): void } | MenuInside)

/** An entry that opens further ones in place of its own menu. */
type MenuInside = { entries: readonly MenuEntry[] }

export type MenuButtonProps = {
  label: string
  className: string | undefined
  entries: readonly MenuEntry[]
  position?: 'bottom-end' | 'bottom-start' | 'top-start'
  children: ReactNode
}

export function OpenedMenu({ label, className, entries, position = 'bottom-end', children }: MenuButtonProps) {
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(true)
  const [inside, setInside] = useState<Inside | null>(null)
  const onChange = (next: boolean) => {
    setOpened(next)
    if (next) return
    setInside(null)
    target.current?.focus()
  }
  return (
    <Menu opened={opened} onChange={onChange} position={position}>
      <Menu.Target>
        <button type="button" ref={target} className={className} aria-label={label} data-tip={label}>
          {children}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {inside === null ? (
          entries.map((entry, at) => <Entry key={at} entry={entry} onInside={setInside} />)
        ) : (
          <InsideEntries inside={inside} onBack={() => setInside(null)} />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

type Inside = Extract<MenuEntry, { entries: unknown }>

/** A submenu. A phone has no room for it beside the menu, so it takes the menu's place. */
function InsideEntries({ inside, onBack }: { inside: Inside; onBack(): void }) {
  const t = useTranslate()
  const back = useRef<HTMLButtonElement>(null)
  // The entry that was pressed is unmounted, and would take the focus with it.
  useEffect(() => back.current?.focus(), [])
  return (
    <>
      <Menu.Item
        ref={back}
        closeMenuOnClick={false}
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        aria-label={t('conversations.back', { entry: inside.label })}
        onClick={onBack}
      >
        {inside.label}
      </Menu.Item>
      <Menu.Divider />
      {inside.entries.map((entry, at) => (
        <Entry key={at} entry={entry} onInside={() => undefined} />
      ))}
    </>
  )
}

function Entry({ entry, onInside }: { entry: MenuEntry; onInside(entry: Inside): void }) {
  const { label, icon, danger, chosen, testid } = entry
  if ('entries' in entry) {
    return (
      <Menu.Item
        leftSection={icon}
        rightSection={<IconChevronRight size={14} aria-hidden />}
        data-testid={testid}
        aria-haspopup="menu"
        closeMenuOnClick={false}
        onClick={() => onInside(entry)}
      >
        {label}
      </Menu.Item>
    )
  }
  if (chosen === undefined)
    return (
      <Menu.Item
        className={danger ? styles.danger : undefined}
        leftSection={icon}
        data-testid={testid}
        onClick={entry.run}
      >
        {label}
      </Menu.Item>
    )
  // The chosen entry is focused first, because Mantine moves the focus from there without scrolling it into view.
  return (
    <Menu.RadioItem
      value={label}
      checked={chosen}
      closeMenuOnClick
      checkIcon={<IconCheck size={16} aria-hidden />}
      onChange={entry.run}
      data-autofocus={chosen || undefined}
      onFocus={event => event.currentTarget.scrollIntoView({ block: 'nearest' })}
    >
      {label}
    </Menu.RadioItem>
  )
}
