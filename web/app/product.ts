import manifest from '../../package.json' with { type: 'json' }

/** The version label of the header. */
export const VERSION = `v${manifest.version}`

export const REPOSITORY = 'https://github.com/chat-commons/chat-commons'
