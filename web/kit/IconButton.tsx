import { ActionIcon } from '@mantine/core'
import type { ActionIconProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

type IconButtonProps = ActionIconProps &
  ComponentPropsWithRef<'button'> & {
    /** The accessible name, also shown as a tooltip. */
    label: string
  }

/** A button with an icon and no text. */
export function IconButton({ label, ...rest }: IconButtonProps) {
  return <ActionIcon aria-label={label} data-tip={label} {...rest} />
}
