/**
 * How the server's own process is started. The young generation has 16 MB from the beginning and keeps them, as a crowd that asks at once fills them
 * (decision 026): V8 would take it back to 1 MB in each quiet second. With 32 it is hardly better and takes 30 MB more. The old
 * generation is collected when it has grown by a third: left alone it keeps 20 to 40 MB after crowds that nobody needs, and is no faster. That V8
 * keep code and shapes of objects through its collections (`--no-flush-bytecode`, `--retain-maps-for-n-gc`) brought nothing beyond the noise.
 * The rest is for the allocator of glibc (elsewhere nobody reads it): two arenas in place of eight for each core, and what is free at the
 * end of one goes back to the system, however large the pieces were that were freed before.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=16', '--min-semi-space-size=16', '--heap-growing-percent=30']
export const SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
