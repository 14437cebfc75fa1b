/**
 * How the server's own process is started. A young generation half as large as Node's: less memory while many answers stream. With a quarter
 * (4 MB) it is 5 to 11 MB less again, but it is swept twice as often, which a crowd pays for: half of a hundred people who ask at once have their
 * first text 7 per cent later, the slowest 8. That V8 keep code and shapes of objects through its collections (`--no-flush-bytecode`,
 * `--retain-maps-for-n-gc`) brought nothing beyond the noise. The rest is for the allocator of glibc (elsewhere nobody reads it): two arenas in
 * place of eight for each core, and what is free at the end of one goes back to the system, however large the pieces were that were freed before.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=16', '--min-semi-space-size=16']
export const SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
