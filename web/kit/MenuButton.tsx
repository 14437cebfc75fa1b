import { useState } from 'react'
import { reportFailure } from '#web/foundation/failures.ts'
import { lazyComponent } from './lazyComponent.tsx'
import type { MenuButtonProps } from './OpenedMenu.tsx'
import smallIconButton from './SmallIconButton.module.css'

const OpenedMenu = lazyComponent(() => import('./OpenedMenu.tsx').then(module => module.OpenedMenu))

/**
 * A button that opens a menu. A list has hundreds of these, so the menu is loaded and rendered with the first click.
 */
export function MenuButton(props: MenuButtonProps) {
  const { label, className, children } = props
  const [wanted, setWanted] = useState(false)
  const preload = () => {
    OpenedMenu.preload().catch(() => null)
  }
  // The button keeps the focus until the menu that replaces it is loaded.
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

/** A menu behind an icon, with the looks of a SmallIconButton. */
export function IconMenuButton(props: MenuButtonProps) {
  return <MenuButton {...props} className={`${smallIconButton.button} ${props.className ?? ''}`} />
}
