import { openConnection } from './connection.mjs'

/** One question on a connection of its own; the whole response as text. */
export function askOnce(port, path) {
  const connection = openConnection(port)
  return new Promise((resolve, reject) => {
    connection.ask(path, (response) => {
      connection.close()
      if (response === undefined) reject(new Error(`${path}: no answer on port ${port}`))
      else resolve(response)
    })
  })
}
