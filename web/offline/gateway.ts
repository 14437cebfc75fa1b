/** The statuses of a proxy that cannot reach the server. */
const NO_SERVER = [502, 503, 504]

/** Whether a proxy sent the response in place of the server, whose own responses always have a request id. */
export function isFromGateway({ status, headers }: Response): boolean {
  return NO_SERVER.includes(status) && !headers.has('x-request-id')
}
