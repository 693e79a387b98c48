/** The least that Node can do to answer; past the framework, if there is one. */
export function answerRaw(response, { headers, body }) {
  response.writeHead(200, headers)
  response.end(body)
}
