-- The migrations applied to this schema, part by part in the order of $1, oldest first, and the hashes of
-- those in this binary. $1 the binary's parts, $2 to $4 its migrations: part, name and text.
-- Rows: part, name, applied sha256 (null: not applied), own sha256 (null: unknown to this binary).
-- Locks: none. Parts that this binary does not know are left out.
select p.part, coalesce(m.name, own.name), m.sha256,
  encode(sha256(convert_to(own.text, 'UTF8')), 'hex')
from (select * from migration where part = any ($1)) m
full join unnest($2::text[], $3::text[], $4::text[]) as own (part, name, text)
  on (own.part, own.name) = (m.part, m.name)
join unnest($1::text[]) with ordinality as p (part, place) on p.part = coalesce(m.part, own.part)
order by p.place, 2
