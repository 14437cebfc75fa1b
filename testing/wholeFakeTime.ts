import { vi } from 'vitest'

/**
 * Fake time passes only where a test lets it pass. While timers are faked, `vi.waitFor`, `expect.poll` and
 * `expect.element` would also advance them with each look, so that a busy machine, which looks more often, had more
 * time pass than a quiet one.
 */
vi.isFakeTimers = () => false
