// Equirectangular projection, cut at the Bering Strait.

export const WIDTH = 360
export const NORTH = 80
export const SOUTH = -57
export const HEIGHT = NORTH - SOUTH

const WEST_EDGE = -169

export function xOf(longitude: number): number {
  return (((longitude - WEST_EDGE) % 360) + 360) % 360
}

export function yOf(latitude: number): number {
  return NORTH - latitude
}

export function longitudeOf(x: number): number {
  const longitude = x + WEST_EDGE
  return longitude > 180 ? longitude - 360 : longitude
}
