import type { KeptAttachment } from '#contract/messages.ts'
import { useFileFacts } from './fileFacts.ts'
import { SentDocuments } from './SentDocuments.tsx'
import { SentPictures } from './SentPictures.tsx'

type SentFilesProps = { of: 'pictures' | 'documents'; attachments: readonly KeptAttachment[] }

/** What went with a question to an endpoint: its pictures, or all else. */
export function SentFiles({ of, attachments }: SentFilesProps) {
  const facts = useFileFacts(attachments)
  const sent = attachments.filter(each => isPicture(each) === (of === 'pictures'))
  if (sent.length === 0) return null
  return of === 'pictures' ? (
    <SentPictures attachments={sent} facts={facts} />
  ) : (
    <SentDocuments attachments={sent} facts={facts} />
  )
}

/** Whether it went as a picture of its own, and not as pictures of its pages. */
const isPicture = ({ as, mimeType, width, page_count }: KeptAttachment): boolean =>
  as === 'picture' && (mimeType?.startsWith('image/') ?? (width != null && page_count == null))
