import { createContext, type ReactNode, useContext } from 'react'
import { OpenPicture } from './ImageCard.tsx'
import styles from './markdown.module.css'
import { safeLink } from './safeUrl.ts'

/**
 * Opens a file of the code interpreter (`sandbox:/mnt/data/…`). The conversation provides it, since only it knows where
 * the download is; without it such a link is plain text.
 */
export const OpenSandboxFile = createContext<((path: string) => void) | null>(null)

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
        <OpenPicture value={null}>{children}</OpenPicture>
      </a>
    )
  }
  if (link?.kind === 'sandbox' && openSandboxFile) {
    return (
      <button type="button" className={styles.fileLink} onClick={() => openSandboxFile(link.path)}>
        <OpenPicture value={null}>{children}</OpenPicture>
      </button>
    )
  }
  return <>{children}</>
}
