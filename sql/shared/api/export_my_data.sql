-- Reads one piece of the actor's data. $1: the actor's id. $2: the position that the previous piece returned, or null
-- for the first piece. Rows: one row with the part's name, the rows of the part as a JSON list, and the position of the
-- next piece, or null after the last piece. Locks: none. Indexes: those that export_my_data uses.
select p ->> 'part', p ->> 'rows', p ->> 'next' from export_my_data($1, $2::text::jsonb) p
