import { MAX_IMAGES } from '#contract/asking.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { isReadBy, looksAtPictures } from './fileTypes.ts'
import { picturesAmong } from './givenFiles.ts'
import { isUnderWay, type Upload } from './uploadState.ts'

/** Why a question cannot go with these files to this model now; null when it can. The model may have been changed since they were given. */
export function filesHindrance(uploads: readonly Upload[], model: string, t: Translate): string | null {
  const underWay = uploads.filter(({ state }) => isUnderWay(state)).length
  if (underWay > 0) return t('files.underWay', { count: underWay })
  if (uploads.some(({ state }) => state.phase !== 'ready')) return t('files.someFailed')
  if (looksAtPictures(model) && picturesAmong(uploads) > MAX_IMAGES)
    return t('files.mostPictures', { most: MAX_IMAGES })
  const unread = uploads.find(({ mime_type }) => !isReadBy(model, mime_type))
  return unread === undefined ? null : t('files.unread', { name: unread.name })
}
