export const conversations = {} as const
