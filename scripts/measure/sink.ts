// A receiver in its own process. Responds 422 to one POST in 200, so that the dashboard has failures to show, and 204 to all
// others. Reports the number of POSTs and the time between the first and the last.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let posts = 0
let firstAt = 0
let lastAt = 0

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    lastAt = performance.now()
    if (posts === 0) firstAt = lastAt
    posts += 1
    response.writeHead(posts % 200 === 0 ? 422 : 204).end()
  })
})

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))

process.on('message', (message) => {
  if (message === 'reset') posts = 0
  process.send!({ posts, tookMs: lastAt - firstAt })
})
process.on('disconnect', () => process.exit())
