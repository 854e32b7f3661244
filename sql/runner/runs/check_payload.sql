-- A payload as the database would hold it. $1 the payload as text.
-- Rows: one. Locks: none. 22P02 where it is not JSON, 22P05 where the database cannot hold it.
select $1::text::jsonb::text
