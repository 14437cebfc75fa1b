import type { ImagePart } from '#contract/messages.ts'
import type { Translate } from '#web/i18n/dictionary.ts'

/** A picture by its measures, which are written as they are: their digits are not grouped. */
export function pictureName({ width, height }: ImagePart, t: Translate): string {
  return width != null && height != null
    ? t('message.picture', { width: String(width), height: String(height) })
    : t('message.image')
}
