-- Places and who meets there. docs/whosthere.md has states and locks.

create table groups (
  id identifier primary key,
  name text not null,
  -- A circle around the centre, or a polygon, whose centre is the middle of its box. Degrees and metres.
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  radius double precision check (radius between 25 and 50000),
  -- Unwrapped: each corner lies less than 180 degrees from the one before it, also over the date line.
  corner_latitudes double precision[] check (cardinality(corner_latitudes) between 3 and 100),
  corner_longitudes double precision[],
  -- Anybody may see it and join it.
  is_public boolean not null default false,
  -- An IANA name: days are those of the place.
  time_zone text not null constraint groups_time_zone check (
    time_zone ~ '^[A-Za-z0-9_/+-]{1,64}$'
    and extract(epoch from timestamptz '2020-01-15 00:00Z' at time zone time_zone
      - timestamp '2020-01-15 00:00') between -43200 and 50400),
  max_members integer not null default 50 check (max_members between 1 and 1000),
  -- Counted by the triggers on member, so that the check below is the cap, whoever writes.
  member_count integer not null default 0
    constraint group_full check (member_count between 0 and max_members),
  is_active boolean not null default true,
  -- Counts the changes of what members see of it.
  version bigint not null default 0,
  created_at timestamptz not null default domain_now(),
  -- Null: the account is gone.
  created_by identifier references users,
  -- Who deleted it, so that the same call again is answered as the first was.
  deleted_by identifier references users,
  constraint group_shape check (
    (radius is null) <> (corner_latitudes is null)
    and (corner_latitudes is null) = (corner_longitudes is null)
    and cardinality(corner_longitudes) is not distinct from cardinality(corner_latitudes)),
  constraint group_inactive check (is_active or member_count = 0)
);
-- The list of public groups, from name to name.
create index group_public on groups (name collate "C", id) where is_public and is_active;
-- For accounts that go.
create index group_creator on groups (created_by) where created_by is not null;
create index group_deleter on groups (deleted_by) where deleted_by is not null;

-- The boxes that hold a group's place, in degrees, x is longitude: two where it lies on the date line. Written by
-- the trigger on groups.
create table group_area (
  group_id identifier not null references groups on delete cascade,
  area box not null
);
create index group_area_box on group_area using gist (area);
create index group_area_group on group_area (group_id);

create table member (
  group_id identifier not null references groups,
  user_id identifier not null references users,
  role text not null default 'member' check (role in ('admin', 'member')),
  -- The first time: whoever comes back goes on with the same membership.
  joined_at timestamptz not null,
  left_at timestamptz,
  -- The admin who ended it; null: the member left, or it goes on.
  removed_by identifier references users,
  primary key (group_id, user_id),
  constraint member_times check (left_at >= joined_at),
  constraint member_removed check (removed_by is null or left_at is not null)
);
create index member_user on member (user_id) where left_at is null;
create index member_remover on member (removed_by) where removed_by is not null;

-- Codes that people read to each other. One of a group counts; it stands here in full, because its members may see
-- it again.
create table invite (
  code text collate "C" primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
  group_id identifier not null references groups,
  -- Null: the account is gone.
  created_by identifier references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Since another one counts, or none.
  replaced_at timestamptz,
  constraint invite_times check (expires_at > created_at)
);
create unique index invite_current on invite (group_id) where replaced_at is null;
create index invite_creator on invite (created_by) where created_by is not null;
create index invite_end on invite (expires_at);

-- Once a user: who was removed does not come back with the code that brought them.
create table redemption (
  code text collate "C" not null references invite on delete cascade,
  user_id identifier not null references users on delete cascade,
  redeemed_at timestamptz not null,
  primary key (code, user_id)
);
create index redemption_user on redemption (user_id);

-- How many codes that were not there a user has tried since.
create table invite_attempt (
  user_id identifier primary key references users on delete cascade,
  began_at timestamptz not null,
  attempts integer not null check (attempts >= 0)
);

-- What calls about groups answer.
create type group_answer as (
  id text,
  name text,
  shape jsonb,
  is_public boolean,
  time_zone text,
  member_count integer,
  max_members integer,
  is_active boolean,
  version bigint,
  created_at timestamptz,
  created_by text,
  -- Of the caller; null: not a member.
  role text,
  joined_at timestamptz
);

create type invite_answer as (
  code text,
  group_id text,
  expires_at timestamptz
);

create type redeem_answer as (
  -- inviteInvalid or inviteExpired, and nothing else; null: a member.
  refusal text,
  group_id text,
  joined_at timestamptz
);
