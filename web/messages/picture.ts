import { useState } from 'react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { readDownloadUrl } from '#contract/files.ts'
import type { ImagePart } from '#contract/messages.ts'
import { call } from '#web/foundation/call.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { safeImage } from './markdown/safeUrl.ts'
import { fileIdOf } from './openFile.ts'

/** Milliseconds for which the upstream’s address of a picture is valid. */
const ADDRESS_VALID_MS = 600_000

export type PictureState =
  | { kind: 'waiting' }
  | { kind: 'shown'; src: string; onMissing(): void }
  /** Nothing from other sites is loaded into the page; a link opens it. */
  | { kind: 'outside'; href: string }
  | { kind: 'missing'; retry(): void }
  /** It has no address. */
  | { kind: 'unknown' }

/** The upstream stores pictures; the server tells the address of one that is shown. */
export function usePicture({ asset_pointer }: ImagePart): PictureState {
  const id = fileIdOf(asset_pointer)
  const given = id === null ? safeImage(asset_pointer) : null
  const { data, isPending, isFetching, refetch } = useQuery({ ...addressOf(id ?? ''), enabled: id !== null })
  const [failed, setFailed] = useState<string | null>(null)
  if (id === null && given === null) return { kind: 'unknown' }
  if (id !== null && (isPending || isFetching) && data === undefined) return { kind: 'waiting' }
  const image = given ?? safeImage(data ?? '', window.location.origin)
  const retry = () => {
    setFailed(null)
    if (id !== null) void refetch()
  }
  if ((data === undefined && given === null) || image === null || image.src === failed)
    return { kind: 'missing', retry }
  return image.kind === 'own'
    ? { kind: 'shown', src: image.src, onMissing: () => setFailed(image.src) }
    : { kind: 'outside', href: image.src }
}

function addressOf(id: string) {
  return queryOptions({
    queryKey: ['picture', id],
    queryFn: ({ signal }) => call(readDownloadUrl, { params: { id } }, { signal }),
    staleTime: ADDRESS_VALID_MS,
    retry: false,
    meta: { quiet: true },
  })
}

/** A picture by its size in pixels, with ungrouped digits. */
export function pictureName({ width, height }: ImagePart, t: Translate): string {
  return width != null && height != null
    ? t('message.picture', { width: String(width), height: String(height) })
    : t('message.image')
}
