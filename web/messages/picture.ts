import { useContext, useEffect, useState } from 'react'
import type { ImagePart } from '#contract/messages.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { safeImage } from './markdown/safeUrl.ts'
import { fileAddress, fileIdOf } from './openFile.ts'
import { AnswerGrows } from './readingContext.ts'

type PictureState =
  | { kind: 'shown'; src: string; onMissing(): void }
  /** Nothing from other sites is loaded into the page; a link opens it. */
  | { kind: 'outside'; href: string }
  | { kind: 'missing'; retry(): void }
  /** The portal does not know yet whose it is: it belongs to an answer that grows, of which the latest is not stored. */
  | { kind: 'awaited' }
  /** It has no address. */
  | { kind: 'unknown' }

/** Milliseconds before a picture of a growing answer is asked for again; each time twice as long. */
const AGAIN = 500

/** What the upstream keeps is loaded from the portal, so that it alone learns who looks at what. */
export function usePicture({ asset_pointer }: ImagePart): PictureState {
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState<string | null>(null)
  const id = fileIdOf(asset_pointer)
  const given = safeImage(asset_pointer)
  // Another address each time: what a browser has failed to load from one it does not load again.
  const own = id === null ? null : `${fileAddress(id)}${attempt === 0 ? '' : `?attempt=${attempt}`}`
  const src = own ?? (given?.kind === 'own' ? given.src : null)
  const grows = useContext(AnswerGrows)
  const [grew, setGrew] = useState(grows)
  if (grew !== grows) {
    setGrew(grows)
    if (!grows && src !== null && src === failed) setAttempt(attempt + 1)
  }
  const isAwaited = src !== null && src === failed && grows
  useEffect(() => {
    if (!isAwaited) return undefined
    const timer = setTimeout(() => setAttempt(attempt + 1), AGAIN * 2 ** attempt)
    return () => clearTimeout(timer)
  }, [isAwaited, attempt])
  if (isAwaited) return { kind: 'awaited' }
  if (src !== null && src === failed) return { kind: 'missing', retry: () => setAttempt(attempt + 1) }
  if (src !== null) return { kind: 'shown', src, onMissing: () => setFailed(src) }
  return given === null ? { kind: 'unknown' } : { kind: 'outside', href: given.src }
}

/** A picture by its size in pixels, with ungrouped digits. */
export function pictureName({ width, height }: ImagePart, t: Translate): string {
  return width != null && height != null
    ? t('message.picture', { width: String(width), height: String(height) })
    : t('message.image')
}
