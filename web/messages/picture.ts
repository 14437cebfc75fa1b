import { useContext, useEffect, useState } from 'react'
import { webFileIn } from '#contract/files.ts'
import type { ImagePart } from '#contract/messages.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { safeImage } from './markdown/blocks/safeUrl.ts'
import { fileAddress } from './openFile.ts'
import { AnswerGrows } from './readingContext.ts'
import { useReason } from '#web/foundation/refusedFile.ts'

type PictureState =
  | { kind: 'shown'; src: string; onMissing(): void }
  /** Nothing from other sites is loaded into the page; a link opens it. */
  | { kind: 'outside'; href: string }
  /** `why` is null until it is known, and where it is not the portal's. */
  | { kind: 'missing'; why: string | null; retry(): void }
  /**
   * The portal does not know the owner yet: the picture belongs to a growing answer, the latest of which is not stored.
   */
  | { kind: 'awaited' }
  /** It has no address. */
  | { kind: 'unknown' }

/** Milliseconds before a picture of a growing answer is requested again; doubled each time. */
const RETRY_DELAY_MS = 500

/** Pictures of the upstream are loaded through the portal, so that nobody else learns who looks at what. */
export function usePicture({ asset_pointer }: ImagePart): PictureState {
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState<string | null>(null)
  const id = webFileIn(asset_pointer)
  const given = safeImage(asset_pointer)
  // Each attempt has another address, because a browser does not load again what failed from the same one.
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
    const timer = setTimeout(() => setAttempt(attempt + 1), RETRY_DELAY_MS * 2 ** attempt)
    return () => clearTimeout(timer)
  }, [isAwaited, attempt])
  const why = useReason(src !== null && src === failed && !grows ? own : null)
  if (isAwaited) return { kind: 'awaited' }
  if (src !== null && src === failed) return { kind: 'missing', why, retry: () => setAttempt(attempt + 1) }
  if (src !== null) return { kind: 'shown', src, onMissing: () => setFailed(src) }
  return given === null ? { kind: 'unknown' } : { kind: 'outside', href: given.src }
}

/** A picture by its size in pixels, with ungrouped digits. */
export function pictureName({ width, height }: ImagePart, t: Translate): string {
  return width != null && height != null
    ? t('message.picture', { width: String(width), height: String(height) })
    : t('message.image')
}
