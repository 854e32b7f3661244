-- The hash of an audit row: of the previous row's hash and of all the row's columns, as one JSON array. A JSON column
-- is put into the array as text, so that SQL null and JSON null give different hashes. docs/concepts/security.md
-- explains it. audit/verify.sql repeats this code, so that a check does not call a function that the owner of the
-- schema may have replaced.
create or replace function audit_hash(entry audit) returns bytea
language sql stable
return sha256(entry.previous || convert_to(jsonb_build_array(1, entry.day, entry.number,
  (extract(epoch from entry.at) * 1000000)::bigint, entry.login, entry.role, entry.os_user, entry.host,
  entry.program, entry.application, entry.client::text, entry.action, entry.subject::text, entry.before::text,
  entry.after::text, entry.filter::text, entry.count)::text, 'UTF8'));
