import { type CSSProperties, useState } from 'react'
import type { ImagePart } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy, IconPhoto, IconRefresh } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { useCopied } from '#web/kit/useCopied.ts'
import { Lightbox } from './lazyAttached.ts'
import { pictureName, usePicture } from './picture.ts'
import styles from './pictures.module.css'

/** One picture in full width, several in two columns. Each opens in the lightbox. */
export function Pictures({ parts }: { parts: readonly ImagePart[] }) {
  const [shown, setShown] = useState<number | null>(null)
  const close = () => setShown(null)
  if (parts.length === 0) return null
  return (
    <div className={parts.length === 1 ? styles.one : styles.grid} data-testid="pictures">
      {parts.map((part, at) => (
        <Picture key={`${at} ${part.asset_pointer}`} part={part} onOpen={() => setShown(at)} />
      ))}
      {shown !== null && <Lightbox pictures={parts.map(withName)} first={shown} onClose={close} onLoadError={close} />}
    </div>
  )
}

const withName = (part: ImagePart) => ({ part, name: part.metadata?.dalle?.serialization_title?.trim() || null })

/** A picture, for which space is reserved before it has loaded, with the prompt of a generated one. */
function Picture({ part, onOpen }: { part: ImagePart; onOpen(): void }) {
  const t = useTranslate()
  const prompt = part.metadata?.dalle?.prompt?.trim() || null
  return (
    <figure className={styles.picture}>
      <div className={styles.frame} style={ratioOf(part)}>
        <PictureFrame part={part} prompt={prompt} onOpen={onOpen} />
      </div>
      {prompt !== null && (
        <figcaption className={styles.prompt}>
          <span>{t('message.paintedFrom', { prompt })}</span>
          <CopyPrompt prompt={prompt} />
        </figcaption>
      )}
    </figure>
  )
}

function PictureFrame({ part, prompt, onOpen }: { part: ImagePart; prompt: string | null; onOpen(): void }) {
  const t = useTranslate()
  const state = usePicture(part)
  const name = pictureName(part, t)
  if (state.kind === 'shown') {
    return (
      <button
        type="button"
        className={styles.open}
        aria-label={t('message.enlarge', { name: prompt ?? name })}
        onClick={onOpen}
      >
        <img
          src={state.src}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={state.onMissing}
        />
      </button>
    )
  }
  return (
    <div className={styles.missing}>
      <IconPhoto size={20} stroke={1.6} aria-hidden />
      <span>{name}</span>
      {state.kind === 'outside' ? (
        <a href={state.href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
          {t('message.openImage')}
        </a>
      ) : (
        state.kind !== 'awaited' && (
          <span className={styles.why}>
            {t('message.imageNotLoaded')}
            {state.kind === 'missing' && state.why !== null && ` ${state.why}`}
          </span>
        )
      )}
      {state.kind === 'missing' && (
        <button type="button" className={styles.retry} onClick={state.retry}>
          <IconRefresh size={14} stroke={1.6} aria-hidden />
          {t('kit.retry')}
        </button>
      )}
    </div>
  )
}

/** The aspect ratio; that of a photograph when the size is not known. */
function ratioOf({ width, height }: ImagePart): CSSProperties {
  const known = width != null && height != null && width > 0 && height > 0
  const ratio = known ? Math.min(Math.max(width / height, 0.4), 4) : 4 / 3
  return { ['--ratio' as never]: ratio } // CSSProperties has no custom properties
}

export function CopyPrompt({ prompt }: { prompt: string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  const label = t(copied ? 'message.copied' : 'message.copyPrompt')
  return (
    <SmallIconButton className={styles.copy} label={label} onClick={() => void copy(prompt)}>
      <Icon size={14} stroke={1.6} aria-hidden />
    </SmallIconButton>
  )
}
