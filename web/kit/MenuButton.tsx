import { IconButton } from './IconButton.tsx'
import { IconMenu2 } from './icons.ts'

/** In the header of a small screen: brings what stands at the left of a wide one. */
export function MenuButton({ label, onClick }: { label: string; onClick(): void }) {
  return <IconButton label={label} size={40} onClick={onClick}><IconMenu2 size={18} aria-hidden /></IconButton>
}
