#!/bin/sh
# Runs once, when the image of PostgreSQL creates the database: the roles of docs/postgresql.md. The superuser of the image loses
# its password, so that it can connect from inside the container alone: there the image trusts the socket and the loopback address.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v owner="$POSTGRES_PASSWORD" -v app="$TERCE_APP_PASSWORD" <<'SQL'
ALTER ROLE CURRENT_USER PASSWORD NULL;
CREATE ROLE terce_owner LOGIN PASSWORD :'owner';
CREATE ROLE terce_app LOGIN PASSWORD :'app';
GRANT CREATE ON DATABASE terce TO terce_owner;
SET ROLE terce_owner;
CREATE SCHEMA IF NOT EXISTS terce;
GRANT USAGE ON SCHEMA terce TO terce_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA terce TO terce_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA terce TO terce_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA terce GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO terce_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA terce GRANT EXECUTE ON FUNCTIONS TO terce_app;
SQL
