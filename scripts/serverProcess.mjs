/**
 * How the server's own process is started (docs/performance.md). The young generation has 16 MB from the beginning and keeps them: V8 would shrink
 * it in each quiet second, and a crowd that then asks at once fills it many times while it grows. The old generation is collected when it
 * has grown by a third: left alone it keeps after crowds what nobody needs. Buffers count as growth like everything else: by themselves they
 * start a collection every few megabytes while a file streams through. The rest is for the allocator of glibc (elsewhere nobody reads it):
 * two arenas in place of eight for each core, and what is free at the end of one goes back to the system.
 */
export const SERVER_FLAGS = [
  '--max-semi-space-size=16',
  '--min-semi-space-size=16',
  '--heap-growing-percent=30',
  '--external-memory-accounted-in-global-limit',
]
export const SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
