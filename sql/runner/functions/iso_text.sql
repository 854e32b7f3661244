-- Formats an instant as ISO 8601 in UTC, regardless of the session's settings. `fraction` is the to_char pattern for
-- fractions of a second: '', '.MS' or '.US'.
create or replace function iso_text(at timestamptz, fraction text default '') returns text
language sql stable
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS' || fraction || '"Z"')
