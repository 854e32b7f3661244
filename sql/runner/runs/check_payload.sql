-- A payload as the database would store it. $1 the payload as text. Rows: one. Locks: none. 22P02 if it is not JSON,
-- 22P05 if the database cannot store it.
select $1::text::jsonb::text
