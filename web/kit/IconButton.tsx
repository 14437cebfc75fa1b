import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './SmallIconButton.module.css'
import { IconMenu2 } from './icons.ts'

type IconButtonProps = ActionIconProps &
  ComponentPropsWithRef<'button'> & {
    /** The accessible name, also shown as a tooltip. */
    label: string
  }

/** A button with an icon and no text. */
export function IconButton({ label, ...rest }: IconButtonProps) {
  return <ActionIcon aria-label={label} data-tip={label} {...rest} />
}

/** Opens a SideDrawer. */
export function DrawerButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <IconButton label={label} size={40} onClick={onClick}>
      <IconMenu2 size={18} aria-hidden />
    </IconButton>
  )
}

/** A link to another site with an icon and no text. */
export function IconLink({ label, href, children }: { label: string; href: string; children: ReactNode }) {
  return (
    <ActionIcon component="a" aria-label={label} data-tip={label} href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </ActionIcon>
  )
}

type SmallIconButtonProps = ComponentPropsWithRef<'button'> & {
  /** The accessible name, also shown as a tooltip. */
  label: string
}

/**
 * An icon button for places that have many of them: it renders faster than Mantine's (IconButton.tsx). `className` sets
 * its size.
 */
export function SmallIconButton({ label, className = '', ...rest }: SmallIconButtonProps) {
  return (
    <button type="button" className={`${styles.button} ${className}`} aria-label={label} data-tip={label} {...rest} />
  )
}
