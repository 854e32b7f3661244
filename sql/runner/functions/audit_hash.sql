-- What a row of the audit holds as its hash: of the hash before it and of all that it says, as one array of JSON.
-- What is JSON itself stands there as a text, so that nothing and a null of JSON are two things.
-- docs/concepts/security.md has it in words; audit/verify.sql says the same for itself, so that a check asks nothing that
-- the owner of the schema may have replaced.
create or replace function audit_hash(entry audit) returns bytea
language sql stable
return sha256(entry.previous || convert_to(jsonb_build_array(1, entry.day, entry.number,
  (extract(epoch from entry.at) * 1000000)::bigint, entry.login, entry.role, entry.os_user, entry.host,
  entry.program, entry.application, entry.client::text, entry.action, entry.subject::text, entry.before::text,
  entry.after::text, entry.filter::text, entry.count)::text, 'UTF8'));
