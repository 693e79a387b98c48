/**
 * The header by which a check that asks another service says so. Two services that ask each other's health would else
 * ask in a circle, so an answer to it speaks for the service itself and runs no check that asks others.
 */
export const PEER_HEADER = 'x-baldur-health-check'
