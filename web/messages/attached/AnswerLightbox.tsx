import { useState } from 'react'
import { Lightbox } from './Lightbox.tsx'

/** The picture in a button of an answer; the lightbox leads to the others of the same message. */
export function AnswerLightbox({ button, onClose }: { button: HTMLElement; onClose(): void }) {
  // A text is drawn piece by piece while it grows: what it shows by now is in the page alone.
  const [buttons] = useState(() => {
    const all = [...(button.closest('article')?.querySelectorAll<HTMLElement>('[data-opens-picture]') ?? [])]
    return all.includes(button) ? all : [button]
  })
  const pictures = buttons.map(each => {
    const { src, alt } = each.querySelector('img') ?? { src: '', alt: '' }
    return { part: { asset_pointer: src }, name: alt || null }
  })
  return <Lightbox pictures={pictures} first={buttons.indexOf(button)} onClose={onClose} />
}
