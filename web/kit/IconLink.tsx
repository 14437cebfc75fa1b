import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'

/** A link to another site with an icon and no text. */
export function IconLink({ label, href, children }: { label: string; href: string; children: ReactNode }) {
  return (
    <ActionIcon component="a" aria-label={label} data-tip={label} href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </ActionIcon>
  )
}
