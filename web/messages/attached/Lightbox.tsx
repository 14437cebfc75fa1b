import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import type { ImagePart } from '#contract/messages.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { IconChevronLeft, IconChevronRight, IconDownload, IconPhoto, IconX } from '#web/kit/icons.ts'
import { usePicture } from '../picture.ts'
import styles from './lightbox.module.css'

/** `name`: null for what has none. */
export type LightboxPicture = { part: ImagePart; name: string | null }

type LightboxProps = { pictures: readonly LightboxPicture[]; first: number; onClose(): void }

/** Shows pictures as large as the window allows, one at a time; dark in either scheme, as pictures look best. */
export function Lightbox({ pictures, first, onClose }: LightboxProps) {
  const t = useTranslate()
  const [at, setAt] = useState(first)
  const [isWhole, setWhole] = useState(false)
  const picture = pictures[at]
  const go = (by: number) => {
    if (pictures[at + by] === undefined) return
    setAt(at + by)
    setWhole(false)
  }
  const swipe = useSwipe(isWhole ? null : go)
  if (picture === undefined) return null
  const name = picture.name ?? t('message.image')
  const onKeyDown = (event: KeyboardEvent) => {
    // A picture in its own size is scrolled by them.
    if (isWhole) return
    if (event.key === 'ArrowLeft') go(-1)
    if (event.key === 'ArrowRight') go(1)
  }
  return (
    <Dialog title={name} width="all" onClose={onClose}>
      <div role="presentation" className={styles.lightbox} data-testid="lightbox" onKeyDown={onKeyDown}>
        <Head key={`head ${at}`} picture={picture} place={at + 1} count={pictures.length} onClose={onClose} />
        <div role="presentation" className={styles.stage} {...swipe}>
          <Arrow forward={false} isThere={at > 0} count={pictures.length} onGo={() => go(-1)} />
          <Large key={at} part={picture.part} isWhole={isWhole} onWhole={() => setWhole(!isWhole)} />
          <Arrow forward isThere={at + 1 < pictures.length} count={pictures.length} onGo={() => go(1)} />
        </div>
        <p className={styles.foot}>
          {t(pictures.length > 1 ? 'attachments.lightboxKeys' : 'attachments.lightboxKeysOfOne')}
        </p>
      </div>
    </Dialog>
  )
}

type HeadProps = { picture: LightboxPicture; place: number; count: number; onClose(): void }

function Head({ picture: { part, name }, place, count, onClose }: HeadProps) {
  const t = useTranslate()
  const language = useLanguage()
  const state = usePicture(part)
  const { size_bytes } = part
  return (
    <div className={styles.head}>
      <span dir="auto" className={styles.name}>
        {name ?? t('message.image')}
      </span>
      {count > 1 && (
        <span className={styles.fact} role="status">
          {t('message.pictureCount', { place, count })}
        </span>
      )}
      {size_bytes != null && size_bytes > 0 && <span className={styles.fact}>{formatBytes(size_bytes, language)}</span>}
      <span className={styles.space} />
      {state.kind === 'shown' && (
        <a
          className={styles.button}
          href={state.src}
          download={name ?? 'image'}
          aria-label={t('message.download')}
          data-tip={t('message.download')}
        >
          <IconDownload size={18} stroke={1.6} aria-hidden />
        </a>
      )}
      <SmallIconButton className={styles.button} label={t('kit.close')} onClick={onClose}>
        <IconX size={18} stroke={1.6} aria-hidden />
      </SmallIconButton>
    </div>
  )
}

type ArrowProps = { forward: boolean; isThere: boolean; count: number; onGo(): void }

/** Stays at the ends, without an effect: a button that went would take the focus with it. */
function Arrow({ forward, isThere, count, onGo }: ArrowProps) {
  const t = useTranslate()
  const Icon = forward ? IconChevronRight : IconChevronLeft
  if (count < 2) return <span />
  return (
    <SmallIconButton
      className={`${styles.button} ${styles.arrow}`}
      label={t(forward ? 'message.nextPicture' : 'message.previousPicture')}
      aria-disabled={!isThere}
      onClick={onGo}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
    </SmallIconButton>
  )
}

type LargeProps = { part: ImagePart; isWhole: boolean; onWhole(): void }

/** A double click shows it in its own size; with the keyboard, Enter does. */
function Large({ part, isWhole, onWhole }: LargeProps) {
  const t = useTranslate()
  const state = usePicture(part)
  const prompt = part.metadata?.dalle?.prompt?.trim() || null
  return (
    <figure className={styles.figure}>
      {state.kind === 'shown' ? (
        <button
          type="button"
          className={isWhole ? styles.whole : styles.fitting}
          aria-label={t('attachments.ownSize')}
          aria-pressed={isWhole}
          data-autofocus
          onDoubleClick={onWhole}
          onClick={event => {
            if (event.detail === 0) onWhole()
          }}
        >
          <img
            src={state.src}
            alt={prompt ?? ''}
            draggable={false}
            referrerPolicy="no-referrer"
            onError={state.onMissing}
          />
        </button>
      ) : (
        <p className={styles.missing} role="status">
          <IconPhoto size={20} stroke={1.6} aria-hidden />
          {state.kind === 'missing' && state.why !== null ? state.why : t('message.imageNotLoaded')}
        </p>
      )}
      {prompt !== null && <figcaption>{prompt}</figcaption>}
    </figure>
  )
}

/** Pixels. */
const SWIPE = 48

/** Touches that move sideways lead to the next picture. */
function useSwipe(go: ((by: number) => void) | null) {
  const begin = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) {
      // A second finger zooms.
      begin.current = pointerType === 'touch' && isPrimary ? { x, y } : null
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      const from = begin.current
      begin.current = null
      if (from === null || go === null) return
      const [x, y] = [clientX - from.x, clientY - from.y]
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1)
    },
    onPointerCancel() {
      begin.current = null
    },
  }
}
