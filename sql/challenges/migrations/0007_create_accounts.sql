-- How users sign in. Baton keeps no password: the API verifies a provider's token and says whose it is.

-- What a provider calls a user. Of one user there may be several.
create table identity (
  provider auth_provider not null,
  subject identifier not null,
  user_id identifier not null references users on delete cascade,
  created_at timestamptz not null default domain_now(),
  primary key (provider, subject)
);
create index identity_user on identity (user_id);

-- The number in the name of a user whose provider tells none.
create sequence user_number;

-- What calls about users answer: the actor as nobody else sees them.
create type user_answer as (
  id text,
  display_name text,
  email text,
  photo_url text,
  auth_provider auth_provider,
  current_group_id text,
  shares_workouts boolean,
  time_zone text,
  -- The name is one that was made up: the app asks for another.
  asks_for_name boolean,
  created_at timestamptz
);
