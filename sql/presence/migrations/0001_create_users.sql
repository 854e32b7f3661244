-- Who there is, how they sign in, and on which devices they are.

-- `anonymous` is a device before its owner has an account.
create type identity_provider as enum ('anonymous', 'apple', 'google', 'email');

-- An identity compares by bytes, fits an index and prints on one line.
create domain identifier as text collate "C"
  check (octet_length(value) between 1 and 256 and value !~ '[\x01-\x1f\x7f]');

-- What an operator can set.
create table setting (
  singleton boolean primary key default true check (singleton),
  -- How long a device stays signed in.
  session_age interval not null default '90 days' check (session_age > '0'),
  -- How long an invite's code can be used, where nobody says another time.
  invite_age interval not null default '7 days'
    check (invite_age > '0' and invite_age <= '366 days'),
  -- Codes that are not there which one user may try in an hour.
  invite_attempts integer not null default 20 check (invite_attempts > 0),
  -- How long codes and devices are kept when their time is over.
  kept_age interval not null default '30 days' check (kept_age >= '0')
);
insert into setting default values;

create table users (
  id identifier primary key,
  display_name text not null,
  -- The name is one that was made up: the app asks for another.
  asks_for_name boolean not null default false,
  photo_url text,
  -- An IANA name: when they are told of things; null: nobody has said.
  time_zone text constraint users_time_zone check (time_zone ~ '^[A-Za-z0-9_/+-]{1,64}$'),
  -- Nobody but one device can sign in as it.
  is_anonymous boolean not null,
  -- The account that has taken over all that this user had; who is merged speaks for nobody.
  merged_into identifier references users,
  -- Counts the changes of what others see.
  version bigint not null default 1,
  created_at timestamptz not null default domain_now(),
  constraint merged_into_another check (merged_into <> id),
  constraint merged_users_were_anonymous check (merged_into is null or is_anonymous)
);
create index users_merged on users (merged_into) where merged_into is not null;

-- The number in the name of a user who has told none.
create sequence user_number;

-- What a provider calls a user. Of one user there may be several. Of a device it is the sha256 of a secret that
-- the device alone has.
create table identity (
  provider identity_provider not null,
  subject identifier not null,
  user_id identifier not null references users,
  created_at timestamptz not null default domain_now(),
  primary key (provider, subject)
);
create index identity_user on identity (user_id);

-- A device that is signed in. A token is nowhere but on the device.
create table session (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null constraint session_token unique check (octet_length(token_hash) = 32),
  user_id identifier not null references users,
  -- What the device calls itself, for the list of a user's devices.
  device text not null check (octet_length(device) <= 100),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Signed out here, or everywhere, or merged.
  ended_at timestamptz,
  constraint session_times check (expires_at > created_at and ended_at >= created_at)
);
create index session_of_user on session (user_id);
-- What is over is removed from the oldest on.
create index session_end on session (expires_at);

-- What calls about users answer: the actor as they see themselves.
create type user_answer as (
  id text,
  display_name text,
  photo_url text,
  is_anonymous boolean,
  asks_for_name boolean,
  time_zone text,
  version bigint,
  created_at timestamptz
);
