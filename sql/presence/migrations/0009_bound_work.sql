-- How fast and until when pushes are sent, and less to read for calls and jobs of popular places.

alter table setting
  -- Pushes that each of the two jobs starts in a second.
  add column pushes_a_second integer not null default 20 check (pushes_a_second between 1 and 1000),
  -- A push that is older is dropped and counted.
  add column push_age interval not null default '15 minutes' check (push_age between '1 second' and '1 day');

-- Counts dropped pushes. A sequence, so no push waits for another.
create sequence dropped_push;

-- The sum of the versions of all who were ever at a place. Each run of summarize-groups read all of their rows for it.
alter table group_summary drop column presences_version;

-- The table has no primary key, because a group may have two boxes. Without this, a publication of all tables would make
-- each deletion fail.
alter table group_area replica identity full;

-- The boxes of private and of deleted groups, which a search had to read and leave out. Members find their own groups
-- by their memberships.
delete from group_area a using groups g where g.id = a.group_id and not (g.is_public and g.is_active);

-- The current members of a group, which calls read. Former members, whose rows remain, may be far more.
create index member_current on member (group_id, joined_at, user_id) where left_at is null;
