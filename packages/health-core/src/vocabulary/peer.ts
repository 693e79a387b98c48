/**
 * The request header that marks a probe from a peer check. Answers to it leave peer checks out; otherwise two services
 * would probe each other in a loop.
 */
export const PEER_HEADER = 'x-baldur-health-check'
