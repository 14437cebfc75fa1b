import { useEffect, useSyncExternalStore } from 'react'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { readSharedMeter, type SharedMeter } from '#contract/status.ts'
import { call } from '#web/foundation/call.ts'

/** Polling intervals while somebody is at the page and while nobody is. A hidden page does not poll. */
const POLL_MS = 5000
const IDLE_POLL_MS = 30_000

export const meterQuery = queryOptions({
  queryKey: ['meter'],
  queryFn: ({ signal }) => call(readSharedMeter, {}, { signal }),
  staleTime: POLL_MS,
  meta: { quiet: true },
})

/** How busy the shared accounts are; undefined until it is known. */
export function useSharedMeter(): SharedMeter | undefined {
  const attended = useIsPresent()
  const { data, refetch, isStale } = useQuery({
    ...meterQuery,
    refetchInterval: attended ? POLL_MS : IDLE_POLL_MS,
  })
  useEffect(() => {
    // Several components poll at the same time; they share a request.
    if (attended && isStale) void refetch({ cancelRefetch: false })
  }, [attended, isStale, refetch])
  return data
}

/** Refetches the meter at once, when an ask has started or ended here. */
export function refreshMeter(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: meterQuery.queryKey })
}

/** Milliseconds without input after which nobody seems to be there. */
const IDLE_AFTER_MS = 60_000
const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus', 'blur'] as const

const listeners = new Set<() => void>()
let present = document.hasFocus()
const isPresent = () => present
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether somebody is at this page: it has the focus, and there was input within the last minute. */
function useIsPresent(): boolean {
  return useSyncExternalStore(subscribe, isPresent, isPresent)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    for (const type of INPUT_EVENTS) window.addEventListener(type, onInput, { passive: true })
    onInput()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    for (const type of INPUT_EVENTS) window.removeEventListener(type, onInput)
  }
}

function onInput(): void {
  clearTimeout(timer)
  timer = setTimeout(() => set(false), IDLE_AFTER_MS)
  set(document.hasFocus())
}

function set(now: boolean): void {
  if (now === present) return
  present = now
  for (const listener of listeners) listener()
}
