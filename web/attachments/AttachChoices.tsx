import { type ChangeEvent, type ReactNode, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { listFiles } from '#contract/ownFiles.ts'
import { call } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { IconFile, IconPaperclip, IconPhoto } from '#web/kit/icons.ts'
import type { AttachChoicesProps, QuestionDraft } from '#web/sources/source.ts'
import styles from './choices.module.css'
import { UsedFiles } from './UsedFiles.tsx'

/** What can be attached: on phones a sheet of four ways; elsewhere the files that were used before. */
export function AttachChoices({ draft, of, onFiles, onClose }: AttachChoicesProps) {
  const t = useTranslate()
  const [isEarlier, setEarlier] = useState(of === 'earlier')
  return (
    <Dialog title={t(isEarlier ? 'attachments.usedFiles' : 'attachments.addSheet')} onClose={onClose}>
      {isEarlier ? (
        <UsedFiles draft={draft} />
      ) : (
        <Ways
          draft={draft}
          onEarlier={() => setEarlier(true)}
          onFiles={files => {
            onClose()
            onFiles(files)
          }}
        />
      )}
    </Dialog>
  )
}

type WaysProps = { draft: QuestionDraft; onFiles(files: File[]): void; onEarlier(): void }

function Ways({ draft: { bounds }, onFiles, onEarlier }: WaysProps) {
  const t = useTranslate()
  const used = useQuery({
    queryKey: ['own files', 'count'],
    queryFn: ({ signal }) => call(listFiles, { query: {} }, { signal }),
    meta: { quiet: true },
  })
  const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const
  return (
    <div className={styles.ways}>
      <Chooser accept="image/*" capture testid="attach-camera" onFiles={onFiles}>
        <IconPhoto {...icon} />
        {t('attachments.takePhoto')}
      </Chooser>
      <Chooser accept="image/*" testid="attach-album" onFiles={onFiles}>
        <IconPhoto {...icon} />
        {t('attachments.fromAlbum')}
        <small>{t('attachments.atMost', { count: bounds.max_attachments })}</small>
      </Chooser>
      <Chooser testid="attach-file" onFiles={onFiles}>
        <IconFile {...icon} />
        {t('attachments.chooseFiles')}
        <small>{t('attachments.kinds', { max_bytes: bounds.max_file_bytes })}</small>
      </Chooser>
      <button type="button" className={styles.way} data-testid="attach-earlier" onClick={onEarlier}>
        <IconPaperclip {...icon} />
        {t('attachments.usedFiles')}
        {used.data !== undefined && <small>{t('attachments.usedCount', { count: used.data.total })}</small>}
      </button>
    </div>
  )
}

type ChooserProps = {
  accept?: string
  /** The camera, at once. */
  capture?: boolean
  testid: string
  onFiles(files: File[]): void
  children: ReactNode
}

function Chooser({ accept, capture = false, testid, onFiles, children }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])]
    if (files.length > 0) onFiles(files)
  }
  return (
    <>
      <button type="button" className={styles.way} data-testid={testid} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={!capture}
        accept={accept}
        capture={capture ? 'environment' : undefined}
        onChange={choose}
      />
    </>
  )
}
