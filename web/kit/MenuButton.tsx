import { type ReactNode, useState } from 'react'
import { reportFailure } from '#web/foundation/failures.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'

const OpenedMenu = lazyComponent(() => import('./OpenedMenu.tsx').then(module => module.OpenedMenu))

export type MenuEntry = {
  label: string
  icon?: ReactNode
  testid?: string
  danger?: boolean
  /** Set for entries of which exactly one is chosen. */
  chosen?: boolean
} & ({ run(): void } | MenuInside)

/** An entry that opens further ones in place of its own menu. */
export type MenuInside = { entries: readonly MenuEntry[] }

export type MenuButtonProps = {
  label: string
  className: string | undefined
  entries: readonly MenuEntry[]
  position?: 'bottom-end' | 'top-start'
  children: ReactNode
}

/** A button that opens a menu. A list has hundreds of these, so the menu is loaded and rendered with the first click. */
export function MenuButton(props: MenuButtonProps) {
  const { label, className, children } = props
  const [wanted, setWanted] = useState(false)
  const preload = () => {
    OpenedMenu.preload().catch(() => null)
  }
  // The button stays until there is something in its place, and with it the focus.
  const open = () => {
    OpenedMenu.preload().then(() => setWanted(true), reportFailure)
  }
  if (wanted) return <OpenedMenu {...props} onLoadError={() => setWanted(false)} />
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      data-tip={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
    >
      {children}
    </button>
  )
}
