-- The migrations applied to this schema, oldest first, and the hashes of those in this binary.
-- $1 names and $2 texts of the binary's, in order. Rows: name, applied sha256 (null: not applied),
-- own sha256 (null: unknown to this binary). Locks: none.
select coalesce(m.name, own.name), m.sha256, encode(sha256(convert_to(own.text, 'UTF8')), 'hex')
from migration m
full join unnest($1::text[], $2::text[]) as own (name, text) on own.name = m.name
order by 1
