export const upstreams = {} as const
