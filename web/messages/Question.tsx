import { useContext } from 'react'
import { attachmentsOf, type ImagePart, type Message, textOf } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { AttachmentCard } from './AttachmentCard.tsx'
import { Markdown } from './markdown/Markdown.tsx'
import styles from './messages.module.css'
import { fileIdOf } from './openFile.ts'
import { Pictures } from './Pictures.tsx'
import { PlainFallback } from './PlainFallback.tsx'
import { PlainText } from './PlainText.tsx'
import { ShownPlain } from './shownPlain.ts'

/** What the person wrote, as it was written unless they want it drawn as Markdown; their pictures and files inside. */
export function Question({ message }: { message: Message }) {
  const { renderUserMessageInMd, codeAutoWrap } = usePreferences()
  const plain = useContext(ShownPlain) ?? !renderUserMessageInMd
  const text = textOf(message)
  const pictures = picturesOf(message)
  const shown = new Set(pictures.map(({ asset_pointer }) => fileIdOf(asset_pointer)))
  return (
    <div className={styles.bubble}>
      <Pictures parts={pictures} />
      {plain ? (
        <PlainText text={text} />
      ) : (
        <PlainFallback text={() => text}>
          <Markdown text={text} wrapCode={codeAutoWrap} />
        </PlainFallback>
      )}
      {attachmentsOf(message)
        .filter(({ id }) => !shown.has(id))
        .map(attachment => (
          <AttachmentCard key={attachment.id} attachment={attachment} />
        ))}
    </div>
  )
}

function picturesOf({ content }: Message): ImagePart[] {
  return content?.content_type === 'multimodal_text' ? content.parts.filter(part => typeof part !== 'string') : []
}
