#!/bin/sh
# Runs once, when the image of PostgreSQL creates the database: the role of the processes, as in docs/postgresql.md. The role that
# migrates is POSTGRES_USER.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v password="$TERCE_APP_PASSWORD" <<'SQL'
CREATE ROLE terce_app LOGIN PASSWORD :'password';
CREATE SCHEMA IF NOT EXISTS terce;
GRANT USAGE ON SCHEMA terce TO terce_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA terce TO terce_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA terce TO terce_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA terce GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO terce_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA terce GRANT EXECUTE ON FUNCTIONS TO terce_app;
SQL
