// The exports of `terce`, for an application that uses a Terce: the client and the receiver. Imports no package.
export * from './client/client.ts'
export * from './receiver/receiver.ts'
