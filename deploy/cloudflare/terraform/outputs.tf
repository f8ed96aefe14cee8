output "database_id" {
  description = "Put it into deploy/cloudflare/wrangler.jsonc, so that wrangler applies the migrations to this database."
  value       = cloudflare_d1_database.terce.id
}
