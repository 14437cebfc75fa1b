import { ActionIcon } from '@mantine/core'
import type { ActionIconProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

type IconButtonProps = ActionIconProps & ComponentPropsWithRef<'button'> & {
  /** Names it for everybody: read aloud, and shown after a moment under the pointer. */
  label: string
}

/** Every button without a word on it. */
export function IconButton({ label, ...rest }: IconButtonProps) {
  return <ActionIcon aria-label={label} data-tip={label} {...rest} />
}
