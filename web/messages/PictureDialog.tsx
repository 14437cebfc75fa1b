import { useState } from 'react'
import { Button } from '@mantine/core'
import type { ImagePart } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { IconChevronLeft, IconChevronRight, IconDownload } from '#web/kit/icons.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import styles from './pictures.module.css'
import { usePicture } from './picture.ts'

type PictureDialogProps = { parts: readonly ImagePart[]; first: number; onClose(): void }

/** Shows a picture as large as the window allows. Arrow keys lead to the next one. */
export function PictureDialog({ parts, first, onClose }: PictureDialogProps) {
  const t = useTranslate()
  const [at, setAt] = useState(first)
  const part = parts[at]
  const go = (by: number) => setAt((at + by + parts.length) % parts.length)
  if (part === undefined) return null
  return (
    <Dialog title={titleOf(part, t('message.image'))} width={960} onClose={onClose}>
      <div
        role="presentation"
        onKeyDown={event => {
          if (event.key === 'ArrowLeft') go(-1)
          if (event.key === 'ArrowRight') go(1)
        }}
      >
        <Large key={at} part={part} />
        <div className={styles.foot}>
          {parts.length > 1 && (
            <>
              <span className={styles.count} role="status">
                {t('message.pictureCount', { place: at + 1, count: parts.length })}
              </span>
              <IconButton label={t('message.previousPicture')} onClick={() => go(-1)}>
                <IconChevronLeft size={18} aria-hidden />
              </IconButton>
              <IconButton label={t('message.nextPicture')} onClick={() => go(1)}>
                <IconChevronRight size={18} aria-hidden />
              </IconButton>
            </>
          )}
          <Download part={part} />
        </div>
      </div>
    </Dialog>
  )
}

function Large({ part }: { part: ImagePart }) {
  const t = useTranslate()
  const state = usePicture(part)
  const prompt = part.metadata?.dalle?.prompt
  return (
    <figure className={styles.large}>
      {state.kind === 'shown' ? (
        <img src={state.src} alt={prompt ?? t('message.image')} referrerPolicy="no-referrer" />
      ) : (
        <p>{t('message.imageNotLoaded')}</p>
      )}
      {prompt != null && <figcaption>{prompt}</figcaption>}
    </figure>
  )
}

function Download({ part }: { part: ImagePart }) {
  const t = useTranslate()
  const state = usePicture(part)
  if (state.kind !== 'shown') return null
  return (
    <Button
      component="a"
      variant="default"
      href={state.src}
      download={titleOf(part, 'image')}
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {t('message.download')}
    </Button>
  )
}

function titleOf({ metadata }: ImagePart, otherwise: string): string {
  return metadata?.dalle?.serialization_title?.trim() || otherwise
}
