// A receiver in a process of its own: takes every post but one in two hundred, which it refuses for good, so that there are
// failures to look at. Tells when the first and the last of them came.
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
