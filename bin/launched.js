// Entry of the process that terce.js starts on a newer Node: stops it when terce.js has died, even by SIGKILL. The channel
// between the two closes then. Under npm, nohup or a supervisor terce.js lives as long as this process.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The channel alone must not keep a finished command running.
process.channel?.unref()
await import('./terce.js')
