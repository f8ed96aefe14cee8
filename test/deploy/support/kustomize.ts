// Renders a Kustomization: resources, strategic merge patches and image tags. Any other field is an error. kubernetes.test.ts
// compares the result with the result of kustomize, where that is installed.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

// biome-ignore lint/suspicious/noExplicitAny: the resources have as many shapes as Kubernetes has kinds.
export type Json = any

/** The items of these lists are merged by the field; all other lists are replaced. */
const MERGE_KEYS: Record<string, string> = {
  containers: 'name',
  env: 'name',
  initContainers: 'name',
  topologySpreadConstraints: 'topologyKey',
  volumeMounts: 'mountPath',
  volumes: 'name',
}

export function render(folder: string): Json[] {
  const [{ apiVersion, kind, resources = [], patches = [], images = [], ...others }] = readYaml(
    join(folder, 'kustomization.yaml'),
  ) as [Json]
  if (`${apiVersion} ${kind}` !== 'kustomize.config.k8s.io/v1beta1 Kustomization')
    throw new Error(`${folder} has no Kustomization`)
  if (Object.keys(others).length > 0) throw new Error(`${folder}: cannot render ${Object.keys(others)}`)
  let rendered: Json[] = resources.flatMap((path: string) => {
    const full = join(folder, path)
    if (!existsSync(full)) throw new Error(`${folder}: ${path} does not exist`)
    return statSync(full).isDirectory() ? render(full) : readYaml(full)
  })
  const names = rendered.map(nameOf)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`${folder}: ${twice} exists twice`)
  for (const { path, patch: inline, ...rest } of patches) {
    if (Object.keys(rest).length > 0)
      throw new Error(`${folder}: cannot render patches with ${Object.keys(rest)}`)
    for (const patch of inline === undefined ? readYaml(join(folder, path)) : parseYaml(inline, folder)) {
      if (!names.includes(nameOf(patch)))
        throw new Error(`${folder}: a patch is for ${nameOf(patch)}, which does not exist`)
      rendered = rendered.map((one) => (nameOf(one) === nameOf(patch) ? merge(one, patch) : one))
    }
  }
  return rendered.map((resource) => setImages(resource, images))
}

export function nameOf({ apiVersion, kind, metadata }: Json): string {
  return `${apiVersion} ${kind} ${metadata?.name}`
}

export function readYaml(path: string): Json[] {
  return parseYaml(readFileSync(path, 'utf8'), path)
}

export function parseYaml(text: string, path: string): Json[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]!.message}`)
    return document.toJS()
  })
}

function merge(base: Json, patch: Json): Json {
  const merged = { ...base }
  for (const [name, value] of Object.entries<Json>(patch)) {
    const key = MERGE_KEYS[name]
    if (value === null) delete merged[name]
    else if (Array.isArray(value) && key !== undefined)
      merged[name] = mergeLists(base[name] ?? [], value, key)
    else if (isObject(value) && isObject(base[name])) merged[name] = merge(base[name], value)
    else merged[name] = value
  }
  return merged
}

/** New items come first, as with kustomize. */
function mergeLists(base: Json[], patch: Json[], key: string): Json[] {
  const find = (items: Json[], item: Json) => items.find((one) => one[key] === item[key])
  const added = patch.filter((item) => find(base, item) === undefined)
  return [...added, ...base.map((item) => merge(item, find(patch, item) ?? {}))]
}

type Image = { name: string; newName?: string; newTag?: string; digest?: string }

function setImages(value: Json, images: Image[]): Json {
  if (Array.isArray(value)) return value.map((item) => setImages(item, images))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === 'image' ? setImage(inner as string, images) : setImages(inner, images),
  ])
  return Object.fromEntries(entries)
}

function setImage(image: string, images: Image[]): string {
  const [name] = image.split(/[:@]/)
  const { newName = name, newTag, digest } = images.find((one) => one.name === name) ?? { newName: undefined }
  if (digest !== undefined) return `${newName}@${digest}`
  return newTag === undefined ? image : `${newName}:${newTag}`
}

function isObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
