/** A request as other programs make it: without the session of the page. Null where nothing came back. */
export const requestAsTool = (url: string, options: RequestInit): Promise<Response | null> =>
  fetch(url, { ...options, credentials: 'omit', cache: 'no-store' }).catch(() => null)
