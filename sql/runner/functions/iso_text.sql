-- An instant in the form of every list: ISO 8601 in UTC, whatever the session's settings. The fraction is a pattern of
-- to_char: none for whole seconds, '.MS' or '.US'.
create or replace function iso_text(at timestamptz, fraction text default '') returns text
language sql stable
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS' || fraction || '"Z"')
