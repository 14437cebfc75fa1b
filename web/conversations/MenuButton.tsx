import { lazy, type ReactNode, Suspense, useState } from 'react'

const loadMenu = () => import('./OpenedMenu.tsx').then(module => ({ default: module.OpenedMenu }))
const OpenedMenu = lazy(loadMenu)

export type MenuEntry = {
  label: string
  icon?: ReactNode
  testid?: string
  danger?: boolean
  /** One of several of which one is chosen. */
  chosen?: boolean
} & ({ run(): void } | MenuInside)

/** An entry that leads to further ones, in the place of those it stands among. */
export type MenuInside = { entries: readonly MenuEntry[] }

export type MenuButtonProps = {
  label: string
  className: string | undefined
  entries: readonly MenuEntry[]
  position?: 'bottom-end' | 'top-start'
  children: ReactNode
}

/** A button with a menu behind it. A list has hundreds of these: the menu is loaded and made with the first click. */
export function MenuButton(props: MenuButtonProps) {
  const { label, className, children } = props
  const [wanted, setWanted] = useState(false)
  const preload = () => { loadMenu().catch(() => null) }
  const button = (
    <button type="button" className={className} aria-label={label} title={label} aria-haspopup="menu" aria-expanded={false}
      onPointerEnter={preload} onFocus={preload} onClick={() => setWanted(true)}>
      {children}
    </button>
  )
  return wanted ? <Suspense fallback={button}><OpenedMenu {...props} /></Suspense> : button
}
