// Where the dashboard and the API are served: under any path of an application, such as /admin/terce.

/** The path of the dashboard, with a slash at its end: the folder above this file, `assets` in a build and `src` in development. */
export const BASE = import.meta.url.startsWith('http') ? folderAbove(import.meta.url) : '/'

/** The path of the API, without a slash at its end: empty, or such as `/admin/terce`. */
export const API_BASE = BASE.replace(/(?:\/app)?\/$/, '')

/** A function, because Vite takes `new URL(…, import.meta.url)` for a file of the build. */
function folderAbove(url: string): string {
  return new URL('../', url).pathname
}
