import type { ComponentProps } from 'react'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { pageSources } from '#web/sources/list/list.ts'
import { UserMenu } from '#web/users/UserMenu.tsx'

const Files = lazyWithTexts('account', () =>
  import('#web/files/OwnFilesDialog.tsx').then(module => module.OwnFilesDialog),
)

/** The user menu, with files for whom a source is open that takes them. */
export function OwnUserMenu(props: Omit<ComponentProps<typeof UserMenu>, 'Files'>) {
  const { setting } = props.user
  const hasFiles = pageSources().some(({ name, files }) => files !== null && setting[name].allow_to_use)
  return <UserMenu {...props} Files={hasFiles ? Files : null} />
}
