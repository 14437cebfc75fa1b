import { Link } from '@tanstack/react-router'
import styles from './screenTabs.module.css'

type ScreenTabsProps = {
  label: string
  /** The first is the one that the address does not name. */
  tabs: readonly { name: string; text: string; testid: string }[]
  open: string
}

/** The tabs of a page. Each has entries of its own in the address, which switching drops. */
export function ScreenTabs({ label, tabs, open }: ScreenTabsProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ name, text, testid }, at) => (
        <Link
          key={name}
          to="."
          // The router keeps a type for each route; this one takes what any page of the area has.
          search={(at === 0 ? {} : { tab: name }) as never}
          aria-current={name === open ? 'page' : undefined}
          // The page has more in its address than its tab.
          activeOptions={{ exact: true, includeSearch: true }}
          data-testid={testid}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
