/** Now, or when nobody else waits, for half the price. */
export type SendWhen = 'now' | 'quiet'
