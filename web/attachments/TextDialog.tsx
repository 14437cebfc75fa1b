import { FocusTrap } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readFileText } from '#contract/ownFiles.ts'
import { PAGE_END } from '#contract/pages.ts'
import { addressOf } from '#web/foundation/call.ts'
import { fetchFile } from '#web/foundation/refusedFile.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import type { DraftAttachment } from './attachment.ts'
import styles from './formChoice.module.css'

/** Characters of a page that are shown; a table of a million rows is not drawn. */
const MAX_SHOWN = 20_000
const MAX_PAGES_SHOWN = 200

/** What was read in a document, as the model gets it. */
export function TextDialog({ attachment, onClose }: { attachment: DraftAttachment; onClose(): void }) {
  const t = useTranslate()
  const { name, file_id } = attachment
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['file text', file_id],
    queryFn: async ({ signal }) => {
      const file = await fetchFile(addressOf(readFileText, { params: { id: file_id ?? '' } }), signal)
      return file.text()
    },
    meta: { quiet: true },
  })
  const pages = (data ?? '').split(PAGE_END)
  return (
    <Dialog title={t('attachments.textOf', { name })} width={600} onClose={onClose}>
      {isPending && <p role="status">{t('kit.loading')}</p>}
      {error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data !== undefined && (
        <div className={styles.text} tabIndex={0} role="region" aria-label={t('attachments.textOf', { name })}>
          {pages.slice(0, MAX_PAGES_SHOWN).map((text, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- the pages of one text never move
            <section key={at}>
              {pages.length > 1 && <h3>{t('attachments.pageTitle', { page: at + 1, pages: pages.length })}</h3>}
              <pre>{text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text}</pre>
            </section>
          ))}
          {pages.length > MAX_PAGES_SHOWN && <p>…</p>}
        </div>
      )}
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}
