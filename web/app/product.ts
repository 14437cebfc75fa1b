declare global {
  interface ImportMetaEnv {
    readonly PAGE_VERSION: string
  }
}

/** The version label of the header. */
export const VERSION = `v${import.meta.env.PAGE_VERSION}`

export const REPOSITORY = 'https://github.com/chat-commons/chat-commons'
