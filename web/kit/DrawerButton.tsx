import { IconButton } from './IconButton.tsx'
import { IconMenu2 } from './icons.ts'

/** Opens the drawer, which holds on a small screen what a wide one shows at the left. */
export function DrawerButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <IconButton label={label} size={40} onClick={onClick}>
      <IconMenu2 size={18} aria-hidden />
    </IconButton>
  )
}
