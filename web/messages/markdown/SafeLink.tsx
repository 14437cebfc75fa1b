import { useContext } from 'react'
import type { ReactNode } from 'react'
import styles from './markdown.module.css'
import { safeLink } from './safeUrl.ts'
import { OpenSandboxFile } from './settings.ts'

export function SafeLink({ url, title, children }: { url: string; title?: string | null; children: ReactNode }) {
  const openSandboxFile = useContext(OpenSandboxFile)
  const link = safeLink(url)
  if (link?.kind === 'outside') {
    return (
      <a
        href={link.href}
        title={title || link.href}
        target="_blank"
        rel="noopener noreferrer"
        referrerPolicy="no-referrer"
      >
        {children}
      </a>
    )
  }
  if (link?.kind === 'sandbox' && openSandboxFile) {
    return (
      <button type="button" className={styles.fileLink} onClick={() => openSandboxFile(link.path)}>
        {children}
      </button>
    )
  }
  return <>{children}</>
}
