import { useState } from 'react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { readDownloadUrl } from '#contract/files.ts'
import type { ImagePart } from '#contract/messages.ts'
import { call } from '#web/foundation/call.ts'
import { safeImage } from './markdown/safeUrl.ts'
import { fileIdOf } from './openFile.ts'

/** Milliseconds for which the upstream's address of a picture is good. */
const GOOD_FOR = 600_000

export type PictureState =
  | { kind: 'waiting' }
  | { kind: 'shown'; src: string; onMissing(): void }
  /** Nothing from outside is loaded into the page; it can be opened in one of its own. */
  | { kind: 'elsewhere'; href: string }
  | { kind: 'missing'; retry(): void }
  /** There is no way to it. */
  | { kind: 'unknown' }

/** A picture lies with the upstream; where, is asked of the server when it is to be seen. */
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
    : { kind: 'elsewhere', href: image.src }
}

function addressOf(id: string) {
  return queryOptions({
    queryKey: ['picture', id],
    queryFn: ({ signal }) => call(readDownloadUrl, { params: { id } }, { signal }),
    staleTime: GOOD_FOR,
    retry: false,
    meta: { quiet: true },
  })
}
