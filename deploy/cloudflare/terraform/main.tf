# Terce on Cloudflare Workers, the same deployment as ../wrangler.jsonc. Use one of the two. How to deploy it:
# docs/deploy-cloudflare.md.
terraform {
  required_version = ">= 1.5"
  required_providers {
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = "~> 5.14"
    }
  }
}

locals {
  # Built by npm run build:cloudflare, so that the bundle that is deployed is the bundle that is tested.
  bundle = "${path.module}/../../../build/cloudflare/worker.js"
}

resource "cloudflare_d1_database" "terce" {
  account_id = var.account_id
  name       = var.name
}

resource "cloudflare_queue" "due" {
  account_id = var.account_id
  queue_name = "${var.name}-due"
}

# The Worker recognises the dead-letter queue by the ending of its name.
resource "cloudflare_queue" "dead" {
  account_id = var.account_id
  queue_name = "${var.name}-dead"
}

resource "cloudflare_workers_script" "terce" {
  account_id         = var.account_id
  script_name        = var.name
  main_module        = "worker.js"
  content_file       = local.bundle
  content_sha256     = filesha256(local.bundle)
  compatibility_date = "2026-04-01"
  # nodejs_compat: node:crypto signs webhooks and encrypts secrets.
  # global_fetch_strictly_public: a webhook target cannot be an origin behind Cloudflare.
  compatibility_flags = ["nodejs_compat", "global_fetch_strictly_public"]
  bindings = concat(
    [
      { type = "d1", name = "DB", id = cloudflare_d1_database.terce.id },
      { type = "queue", name = "DUE", queue_name = cloudflare_queue.due.queue_name },
      # Metrics (docs/deploy-cloudflare.md). Without this binding none are written.
      { type = "analytics_engine", name = "METRICS", dataset = var.name },
    ],
    [for name, value in var.settings : { type = "plain_text", name = name, text = value }],
  )
  # Secrets are set with wrangler secret put. They are not in the state of Terraform, and stay when it deploys.
  keep_bindings = ["secret_text"]
  observability = { enabled = true }
}

# Serves the Worker on NAME.SUBDOMAIN.workers.dev.
resource "cloudflare_workers_script_subdomain" "terce" {
  account_id  = var.account_id
  script_name = cloudflare_workers_script.terce.script_name
  enabled     = true
}

# Dispatches due events every minute.
resource "cloudflare_workers_cron_trigger" "terce" {
  account_id  = var.account_id
  script_name = cloudflare_workers_script.terce.script_name
  schedules   = [{ cron = "* * * * *" }]
}

resource "cloudflare_queue_consumer" "due" {
  account_id        = var.account_id
  queue_id          = cloudflare_queue.due.id
  script_name       = cloudflare_workers_script.terce.script_name
  type              = "worker"
  dead_letter_queue = cloudflare_queue.dead.queue_name
  settings = {
    batch_size       = 100
    max_wait_time_ms = 1000
    # After six receives a message is dead-lettered: its event fails with a reason and can be replayed. If only the
    # database is down, six receives last longer than the lease, and nothing fails.
    max_retries = 5
    retry_delay = 10
  }
}

resource "cloudflare_queue_consumer" "dead" {
  account_id  = var.account_id
  queue_id    = cloudflare_queue.dead.id
  script_name = cloudflare_workers_script.terce.script_name
  type        = "worker"
  settings = {
    batch_size       = 100
    max_wait_time_ms = 5000
    max_retries      = 100
  }
}
