-- Creates the sessions of devices, so that an app needs a token of the identity provider only to sign in.
-- docs/internals/decisions/0034-tokens-of-the-api.md describes the states of a session.
--
-- The migration is in the transaction of the other migrations, so that a pooler can be migrated through. No existing
-- index or row is rewritten.

alter table setting
  -- How long a session lasts after its last refresh.
  add column session_age interval not null default '90 days' check (session_age between '1 hour' and '3660 days'),
  -- Sessions that one user may begin in 24 hours.
  add column sessions_a_day integer not null default 50 check (sessions_a_day between 1 and 10000);

-- A device on which a user is signed in. Only the device stores the refresh token.
create table session (
  id uuid primary key default gen_random_uuid(),
  user_id identifier not null references users on delete cascade,
  -- The name that the device gave itself.
  device text not null check (char_length(device) between 1 and 100),
  -- The SHA-256 of the secret in the current refresh token.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- The SHA-256 of the previous secret, and the random bytes from which the current secret was derived. Null before the
  -- first refresh.
  previous_hash bytea check (octet_length(previous_hash) = 32),
  salt bytea check (octet_length(salt) = 32),
  refreshed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the user signed out, or when a replaced token was used.
  ended_at timestamptz check (ended_at >= created_at),
  constraint session_refresh check (
    (previous_hash is null) = (refreshed_at is null) and (salt is null) = (refreshed_at is null))
);
create index session_of_user on session (user_id, created_at);
-- Retention goes from the oldest on.
create index session_end on session (expires_at);
