-- Computes the hash of an audit row from the previous row's hash and a JSON array of all columns. JSON columns are text
-- in the array, because SQL null and JSON null must have distinct hashes. docs/concepts/security.md describes the hash.
-- audit/verify.sql repeats the function's expression, because a schema owner could replace the function.
create or replace function audit_hash(entry audit) returns bytea
language sql stable
return sha256(entry.previous || convert_to(jsonb_build_array(1, entry.day, entry.number,
  (extract(epoch from entry.at) * 1000000)::bigint, entry.login, entry.role, entry.os_user, entry.host,
  entry.program, entry.application, entry.client::text, entry.action, entry.subject::text, entry.before::text,
  entry.after::text, entry.filter::text, entry.count)::text, 'UTF8'));
