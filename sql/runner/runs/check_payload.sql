-- Returns a payload as the database would store it. $1: the payload as text. Rows: one row. The error is 22P02 if the
-- text is not JSON, and 22P05 if the database cannot store it. Locks: none.
select $1::text::jsonb::text
