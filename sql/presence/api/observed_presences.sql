-- Who is at places, and viewers' own presences there. $1 groups, $2 users, $3 the group of each user.
-- Rows: for each place its number in the list from 1, version of the line, date there and who is there as JSON, else null;
-- for each viewer who was ever there their number in the list from 1 and their presence, else null.
-- Locks: none. Index: presence_pkey.
select number, version, local_date::text, place::text,
  viewer, is_present, source, since, deadline, own_version, changed_at
from observed_presences($1, $2, $3)
