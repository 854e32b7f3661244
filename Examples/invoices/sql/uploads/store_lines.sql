-- Stores lines of an upload. $1 the upload, $2 the numbers of the lines, $3 their customers, $4 their cents. Rows:
-- none. Locks: the new rows. Index: upload_line_pkey.
insert into upload_line (upload, line, customer, cents)
select $1, line, customer, cents
from unnest($2::bigint[], $3::text[], $4::bigint[]) l (line, customer, cents)
