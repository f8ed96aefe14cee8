// Places that never change their clocks, by their offset.

const WEST =
  `Atlantic/Cape_Verde Atlantic/South_Georgia America/Cayenne America/Puerto_Rico America/Panama America/Regina
  America/Phoenix Pacific/Pitcairn Pacific/Gambier Pacific/Honolulu Pacific/Pago_Pago`.split(/\s+/)
const EAST =
  `Africa/Lagos Africa/Maputo Africa/Nairobi Asia/Dubai Asia/Karachi Asia/Dhaka Asia/Jakarta Asia/Makassar Asia/Tokyo
  Pacific/Port_Moresby Pacific/Guadalcanal Pacific/Tarawa Pacific/Fakaofo Pacific/Kiritimati`.split(/\s+/)

/** From 11 hours west (-11) to 14 hours east; 0 is UTC. */
export function zoneAt(hoursEast: number): string {
  if (hoursEast === 0) return 'UTC'
  return (hoursEast < 0 ? WEST[-hoursEast - 1] : EAST[hoursEast - 1])!
}
