import type { CSSProperties } from 'react'
import type { ImagePart } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPhoto, IconRefresh } from '#web/kit/icons.ts'
import { pictureName } from './pictureName.ts'
import styles from './pictures.module.css'
import { CopyPrompt } from './Prompts.tsx'
import { usePicture } from './usePicture.ts'

/** A picture, with its space reserved before it has loaded, and under it the prompt it was made from. */
export function Picture({ part, onOpen }: { part: ImagePart; onOpen(): void }) {
  const t = useTranslate()
  const prompt = part.metadata?.dalle?.prompt?.trim() || null
  return (
    <figure className={styles.picture}>
      <div className={styles.frame} style={ratioOf(part)}>
        <Inside part={part} prompt={prompt} onOpen={onOpen} />
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

function Inside({ part, prompt, onOpen }: { part: ImagePart; prompt: string | null; onOpen(): void }) {
  const t = useTranslate()
  const state = usePicture(part)
  const name = pictureName(part, t)
  if (state.kind === 'waiting')
    return (
      <span className="visually-hidden" role="status">
        {t('kit.loading')}
      </span>
    )
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
      {state.kind === 'elsewhere' ? (
        <a href={state.href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
          {t('message.openImage')}
        </a>
      ) : (
        <span className={styles.why}>{t('message.imageNotLoaded')}</span>
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

/** The aspect ratio of the picture, or that of a photograph when its size is not known. */
function ratioOf({ width, height }: ImagePart): CSSProperties {
  const known = width != null && height != null && width > 0 && height > 0
  const ratio = known ? Math.min(Math.max(width / height, 0.4), 4) : 4 / 3
  return { ['--ratio' as never]: ratio } // CSSProperties knows no variables
}
