/**
 * How the server's own process is started (docs/performance.md). The young generation has a fixed 16 MB: V8 would shrink it when idle, and a
 * burst of asks would fill it many times before it has grown again. The old generation is collected when it has grown by a third; by default
 * memory stays allocated after a burst. Buffers count as growth like everything else: by default they start a collection every few megabytes
 * while a file streams through. The environment is for glibc's allocator (other systems ignore it): two arenas instead of eight per core, and
 * free memory at the end of an arena goes back to the system.
 */
export const SERVER_FLAGS = [
  '--max-semi-space-size=16',
  '--min-semi-space-size=16',
  '--heap-growing-percent=30',
  '--external-memory-accounted-in-global-limit',
]
export const SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
