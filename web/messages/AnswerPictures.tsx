import { type ReactNode, useState } from 'react'
import { OpenPicture } from './markdown/blocks/ImageCard.tsx'
import { AnswerLightbox } from './lazyAttached.ts'

/** Opens pictures in the text of an answer. */
export function AnswerPictures({ children }: { children: ReactNode }) {
  const [button, open] = useState<HTMLElement | null>(null)
  const close = () => open(null)
  return (
    <OpenPicture value={open}>
      {children}
      {button !== null && <AnswerLightbox button={button} onClose={close} onLoadError={close} />}
    </OpenPicture>
  )
}
