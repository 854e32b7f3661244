-- Returns a payload as the database would store it. $1: the payload as text. Rows: one row. Errors: 22P02 if the text
-- is not JSON, 22P05 if the database cannot store the text. Locks: none.
select $1::text::jsonb::text
