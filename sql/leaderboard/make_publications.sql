-- Makes the publish lock of boards that were never published. $1 boards.
-- Rows: the number made. Locks: the new rows, in order of id. Index: publication_pkey.
insert into publication (challenge_id)
select b.id
from (select distinct unnest($1::uuid[]) as id) b
where not exists (select from publication p where p.challenge_id = b.id)
order by b.id
on conflict do nothing
