import { shortened } from '#contract/cutText.ts'
import { createContext, useContext, useState } from 'react'
import { IconPhoto } from '#web/kit/icons.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useReason } from '#web/foundation/refusedFile.ts'
import styles from './markdown.module.css'
import { safeImage } from './safeUrl.ts'

/** Opens the picture in a button in full size; without it, and within a link, a picture only shows. */
export const OpenPicture = createContext<((button: HTMLElement) => void) | null>(null)

/** Characters of an address that is shown as text. */
const MAX_LENGTH = 200

/**
 * Pictures of other hosts are not loaded: an address may leak what was said, and the content security policy allows
 * none. The reader can open them in another tab.
 */
export function ImageCard({ url, alt, title }: { url: string; alt: string; title?: string | null }) {
  const t = useTranslate()
  const [isMissing, setMissing] = useState(false)
  const open = useContext(OpenPicture)
  const image = safeImage(url)
  if (!image) return <>{alt || shortened(url, MAX_LENGTH)}</>
  if (image.kind === 'own' && !isMissing) {
    const shown = (
      <img
        className={styles.image}
        src={image.src}
        alt={alt}
        title={title ?? undefined}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setMissing(true)}
      />
    )
    return open === null ? (
      shown
    ) : (
      <button
        type="button"
        className={styles.openImage}
        aria-label={t('message.enlarge', { name: alt || t('message.image') })}
        data-opens-picture=""
        onClick={event => open(event.currentTarget)}
      >
        {shown}
      </button>
    )
  }
  return image.kind === 'own' ? (
    <MissingImage alt={alt} host={image.host} src={image.src} />
  ) : (
    <Card alt={alt} host={image.host} src={image.src} note={image.host} />
  )
}

/**
 * A file that the portal did not give out, and why; or one that stands in the text itself, without a host, and is
 * broken.
 */
function MissingImage({ alt, host, src }: { alt: string; host: string; src: string }) {
  const t = useTranslate()
  const why = useReason(host === '' ? null : src)
  return <Card alt={alt} host={host} src={src} note={[t('message.imageNotLoaded'), why].filter(Boolean).join(' ')} />
}

function Card({ alt, host, src, note }: { alt: string; host: string; src: string; note: string }) {
  const t = useTranslate()
  return (
    <span className={styles.imageCard}>
      <IconPhoto size={18} stroke={1.6} aria-hidden />
      <span className={styles.imageText}>
        <span dir="auto">{alt || t('message.image')}</span>
        <span className={styles.imageHost}>{note}</span>
      </span>
      {host && (
        <a href={src} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
          {t('message.openImage')}
        </a>
      )}
    </span>
  )
}
