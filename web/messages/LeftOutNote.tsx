import type { Message } from '#contract/messages.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './messages.module.css'
import { apiMetadata } from './metadata.ts'

type LeftOutKey = `message.${'leftOut' | 'leftOutPictures' | 'leftOutFiles' | 'goneFiles'}`

/** What of the conversation the model was not sent with the question, by its kind; nothing where it knows all of it. */
export function leftOutTexts(message: Pick<Message, 'metadata'>, t: Translate): string[] {
  const { left_out_messages, left_out_pictures, left_out_files, gone_files } = apiMetadata(message) ?? {}
  const said = (key: LeftOutKey, count: number | null | undefined) => (count ? [t(key, { count })] : [])
  return [
    ...said('message.leftOutPictures', left_out_pictures),
    ...said('message.leftOutFiles', left_out_files),
    ...said('message.leftOut', left_out_messages),
    ...said('message.goneFiles', gone_files),
  ]
}

/** Says above an answer how much of the conversation it does not know. */
export function LeftOutNote({ message }: { message: Message }) {
  const t = useTranslate()
  const texts = leftOutTexts(message, t)
  if (texts.length === 0) return null
  return (
    <div className={styles.leftOutTag} data-not-copied data-testid="left-out">
      {texts.map(text => (
        <Tag key={text}>{text}</Tag>
      ))}
    </div>
  )
}
