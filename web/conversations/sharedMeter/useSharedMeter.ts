import { useEffect, useSyncExternalStore } from 'react'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { readSharedMeter, type SharedMeter } from '#contract/status.ts'
import { call } from '#web/foundation/call.ts'

/** Milliseconds between looks, while somebody is at the page and while nobody is; a hidden page does not look at all. */
const LOOK_EVERY_MS = 5000
const GLANCE_EVERY_MS = 30_000

export const meterQuery = queryOptions({
  queryKey: ['meter'],
  queryFn: ({ signal }) => call(readSharedMeter, {}, { signal }),
  staleTime: LOOK_EVERY_MS,
  meta: { quiet: true },
})

/** How busy the shared accounts are; undefined until it is known. */
export function useSharedMeter(): SharedMeter | undefined {
  const here = useAttention()
  const { data, refetch, isStale } = useQuery({
    ...meterQuery,
    refetchInterval: here ? LOOK_EVERY_MS : GLANCE_EVERY_MS,
  })
  useEffect(() => {
    // Several places look at once; one request is enough for all of them.
    if (here && isStale) void refetch({ cancelRefetch: false })
  }, [here, isStale, refetch])
  return data
}

/** At once, when an ask has begun or ended here. */
export function refreshMeter(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: meterQuery.queryKey })
}

/** Milliseconds without a key or a pointer after which nobody seems to look. */
const IDLE_AFTER_MS = 60_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus', 'blur'] as const

const listeners = new Set<() => void>()
let here = document.hasFocus()
const isHere = () => here
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether somebody is at this page: it has the focus, and there was a sign of life within the last minute. */
export function useAttention(): boolean {
  return useSyncExternalStore(subscribe, isHere, isHere)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    for (const sign of SIGNS) window.addEventListener(sign, onSign, { passive: true })
    onSign()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    for (const sign of SIGNS) window.removeEventListener(sign, onSign)
  }
}

function onSign(): void {
  clearTimeout(timer)
  timer = setTimeout(() => set(false), IDLE_AFTER_MS)
  set(document.hasFocus())
}

function set(now: boolean): void {
  if (now === here) return
  here = now
  for (const listener of listeners) listener()
}
