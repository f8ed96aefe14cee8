variable "account_id" {
  type        = string
  description = "ID of your Cloudflare account. The token in CLOUDFLARE_API_TOKEN needs the rights to edit Workers Scripts, D1 and Queues in it."
}

variable "name" {
  type        = string
  description = "Name of the Worker and of its database. Begins the names of its queues, for a second installation in the same account."
  default     = "terce"
}

variable "settings" {
  type        = map(string)
  description = "Settings (docs/operate.md) such as WEBHOOK_URL. No secrets: set those with wrangler secret put."
  default     = {}
}
