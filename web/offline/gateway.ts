/** What proxies say when there is no server behind them. */
const NO_SERVER = [502, 503, 504]

/** Whether that is the word of a proxy that lost the server. The server's own answers name the request, whatever their status. */
export function isFromGateway({ status, headers }: Response): boolean {
  return NO_SERVER.includes(status) && !headers.has('x-request-id')
}
