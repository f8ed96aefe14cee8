// A receiver in its own process: responds 200 to every POST and counts them. Sends its port to the parent, then responds to
// each message with the counts since the previous message.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let posts = 0
let keys = new Set<string>()

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    posts += 1
    keys.add(request.headers['x-idempotency-key'] as string)
    response.writeHead(200, { 'content-length': '2' }).end('ok')
  })
})

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))

process.on('message', () => {
  process.send!({ posts, distinct: keys.size })
  posts = 0
  keys = new Set()
})
// The benchmark has exited.
process.on('disconnect', () => process.exit())
