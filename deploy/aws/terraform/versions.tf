# Terce on AWS, the same deployment as ../template.yaml. Use one of the two. How to deploy it: docs/deploy-aws.md.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.25"
    }
    archive = {
      source  = "hashicorp/archive"
      version = "~> 2.4"
    }
  }
}
