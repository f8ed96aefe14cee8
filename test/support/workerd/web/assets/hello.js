export const cake = '🎂'
