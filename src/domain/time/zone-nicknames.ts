// Common names of timezones that are not IANA names. Data only, written by hand.

/** Zones by approximate population: of all zones at an offset, these are the most likely. */
export const BY_POPULATION: readonly string[] = words(`
  Asia/Shanghai Asia/Kolkata Asia/Jakarta America/New_York Asia/Karachi Africa/Lagos America/Sao_Paulo Asia/Dhaka
  Europe/Moscow Asia/Tokyo America/Mexico_City Asia/Manila Africa/Cairo Africa/Addis_Ababa Asia/Ho_Chi_Minh
  Africa/Kinshasa Asia/Tehran Europe/Istanbul Europe/Berlin America/Chicago Asia/Bangkok Africa/Dar_es_Salaam
  Europe/London Europe/Paris Africa/Johannesburg Europe/Rome Asia/Yangon Africa/Nairobi America/Los_Angeles
  America/Bogota Asia/Seoul Africa/Khartoum Europe/Madrid Africa/Kampala America/Argentina/Buenos_Aires
  Africa/Algiers Asia/Baghdad Europe/Kyiv Asia/Kabul Europe/Warsaw Africa/Casablanca Asia/Riyadh Asia/Tashkent
  Africa/Luanda America/Lima Africa/Accra Asia/Makassar Africa/Maputo Asia/Kuala_Lumpur Asia/Kathmandu
  America/Caracas Africa/Abidjan Asia/Taipei Asia/Colombo Europe/Bucharest America/Toronto America/Denver
  America/Santiago Asia/Almaty America/Guayaquil Europe/Amsterdam Asia/Dubai America/Phoenix Australia/Sydney
  Europe/Lisbon Europe/Athens Asia/Yekaterinburg Asia/Omsk Asia/Krasnoyarsk Asia/Irkutsk Asia/Jayapura
  America/La_Paz America/Santo_Domingo America/Halifax America/Tijuana Asia/Vladivostok Europe/Samara
  Australia/Brisbane Pacific/Port_Moresby Pacific/Auckland Pacific/Guadalcanal Australia/Adelaide Australia/Darwin
  Pacific/Honolulu America/Anchorage Pacific/Fiji America/St_Johns Atlantic/Cape_Verde America/Nuuk Pacific/Apia`)

/** Most abbreviations are shared by several zones, and none determines when the clocks change. */
export const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = table(`
  CST: America/Chicago Asia/Shanghai America/Havana
  CDT: America/Chicago America/Havana
  EST: America/New_York America/Jamaica America/Panama
  EDT: America/New_York America/Toronto
  MST: America/Denver America/Phoenix
  MDT: America/Denver
  PST: America/Los_Angeles Asia/Manila
  PDT: America/Los_Angeles
  ET: America/New_York
  CT: America/Chicago
  MT: America/Denver
  PT: America/Los_Angeles
  AST: America/Halifax America/Puerto_Rico Asia/Riyadh
  ADT: America/Halifax
  NST: America/St_Johns
  NDT: America/St_Johns
  AKST: America/Anchorage
  AKDT: America/Anchorage
  BRT: America/Sao_Paulo
  ART: America/Argentina/Buenos_Aires
  COT: America/Bogota
  PET: America/Lima
  CLT: America/Santiago
  CLST: America/Santiago
  VET: America/Caracas
  BST: Europe/London Asia/Dhaka Pacific/Bougainville
  IST: Asia/Kolkata Europe/Dublin Asia/Jerusalem
  IDT: Asia/Jerusalem
  GMT: Europe/London Africa/Accra Etc/UTC
  EST5EDT: America/New_York America/Toronto
  CST6CDT: America/Chicago America/Mexico_City
  MST7MDT: America/Denver
  PST8PDT: America/Los_Angeles America/Tijuana
  HST: Pacific/Honolulu
  WET: Europe/Lisbon Atlantic/Canary
  CET: Europe/Berlin Europe/Paris Europe/Madrid
  MET: Europe/Berlin Europe/Paris Europe/Madrid
  EET: Europe/Kyiv Europe/Bucharest Europe/Athens
  WEST: Europe/Lisbon
  CEST: Europe/Berlin Europe/Paris Europe/Madrid
  EEST: Europe/Kyiv Europe/Bucharest Europe/Athens
  MSK: Europe/Moscow
  TRT: Europe/Istanbul
  WAT: Africa/Lagos Africa/Kinshasa Africa/Luanda
  CAT: Africa/Maputo Africa/Harare Africa/Lusaka
  EAT: Africa/Nairobi Africa/Addis_Ababa Africa/Dar_es_Salaam
  SAST: Africa/Johannesburg
  GST: Asia/Dubai
  PKT: Asia/Karachi
  NPT: Asia/Kathmandu
  MMT: Asia/Yangon
  ICT: Asia/Ho_Chi_Minh Asia/Bangkok
  WIB: Asia/Jakarta
  WITA: Asia/Makassar
  WIT: Asia/Jayapura
  SGT: Asia/Singapore
  MYT: Asia/Kuala_Lumpur
  PHT: Asia/Manila
  HKT: Asia/Hong_Kong
  JST: Asia/Tokyo
  KST: Asia/Seoul Asia/Pyongyang
  AWST: Australia/Perth
  ACST: Australia/Adelaide Australia/Darwin
  ACDT: Australia/Adelaide
  AEST: Australia/Sydney Australia/Brisbane Australia/Melbourne
  AEDT: Australia/Sydney Australia/Melbourne Australia/Hobart
  NZST: Pacific/Auckland
  NZDT: Pacific/Auckland`)

/** Cities, countries and the names that office programs give to clocks, in letters alone. */
export const PLACES: ReadonlyMap<string, readonly string[]> = inverted(`
  America/New_York: eastern useastern nyc newyorkcity washington washingtondc boston philadelphia miami atlanta
  America/Chicago: central uscentral houston dallas austin minneapolis
  America/Denver: mountain usmountain saltlakecity
  America/Los_Angeles: pacific uspacific sanfrancisco seattle sandiego lasvegas
  America/New_York America/Chicago America/Los_Angeles: us usa unitedstates
  America/Toronto: montreal ottawa
  America/Toronto America/Winnipeg America/Vancouver: canada
  America/Mexico_City: mexico guadalajara
  America/Sao_Paulo: riodejaneiro rio brasilia esouthamerica
  America/Sao_Paulo America/Manaus America/Rio_Branco: brazil
  America/Argentina/Buenos_Aires: argentina
  America/Bogota: colombia
  America/Lima: peru
  Europe/London: uk gb greatbritain unitedkingdom england scotland wales manchester edinburgh gmt
  Europe/Berlin: germany deutschland munich hamburg frankfurt cologne weurope
  Europe/Paris: france lyon marseille romance
  Europe/Madrid: spain barcelona
  Europe/Rome: italy milan
  Europe/Amsterdam: netherlands holland rotterdam
  Europe/Zurich: switzerland geneva
  Europe/Warsaw: poland centraleuropean
  Europe/Moscow: russian saintpetersburg stpetersburg
  Europe/Moscow Asia/Yekaterinburg Asia/Vladivostok: russia
  Europe/Kyiv: ukraine
  Europe/Istanbul: turkiye ankara
  Africa/Lagos: nigeria abuja
  Africa/Nairobi: kenya eafrica
  Africa/Johannesburg: southafrica capetown durban pretoria
  Asia/Dubai: uae unitedarabemirates abudhabi arabian
  Asia/Riyadh: saudiarabia jeddah mecca arab
  Asia/Karachi: pakistan lahore islamabad
  Asia/Kolkata: india mumbai bombay delhi newdelhi bangalore bengaluru chennai hyderabad pune
  Asia/Dhaka: bangladesh
  Asia/Ho_Chi_Minh: vietnam hanoi hochiminhcity
  Asia/Bangkok: thailand seasia
  Asia/Jakarta: surabaya bandung
  Asia/Makassar: bali denpasar
  Asia/Jakarta Asia/Makassar Asia/Jayapura: indonesia
  Asia/Manila: philippines
  Asia/Shanghai: china beijing shenzhen guangzhou
  Asia/Tokyo: japan osaka kyoto yokohama
  Asia/Seoul: korea southkorea busan
  Australia/Sydney Australia/Brisbane Australia/Perth: australia
  Pacific/Auckland: newzealand wellington`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function lines(text: string): [string, string][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(':') as [string, string])
}

function table(text: string): Map<string, string[]> {
  return new Map(lines(text).map(([key, zones]) => [key.trim(), words(zones)]))
}

function inverted(text: string): Map<string, string[]> {
  return new Map(
    lines(text).flatMap(([zones, keys]) => words(keys).map((key) => [key, words(zones)] as const)),
  )
}
