import { useState } from 'react'
import type { ImagePart } from '#contract/messages.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { Picture } from './Picture.tsx'
import styles from './pictures.module.css'

const PictureDialog = lazyComponent(() => import('./PictureDialog.tsx').then(module => module.PictureDialog))

/** One picture large, several in two columns; each can be looked at by itself. */
export function Pictures({ parts }: { parts: readonly ImagePart[] }) {
  const [shown, setShown] = useState<number | null>(null)
  const close = () => setShown(null)
  if (parts.length === 0) return null
  return (
    <div className={parts.length === 1 ? styles.one : styles.grid} data-testid="pictures">
      {parts.map((part, at) => (
        <Picture key={`${at} ${part.asset_pointer}`} part={part} onOpen={() => setShown(at)} />
      ))}
      {shown !== null && <PictureDialog parts={parts} first={shown} onClose={close} onLoadError={close} />}
    </div>
  )
}
