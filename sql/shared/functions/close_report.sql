-- Closes a report on behalf of an operator. Each change is recorded in the audit log. Rows: true if the report was
-- open, false if the report was already closed, and null if no report has this id. Locks: the report. Index:
-- user_report_pkey.
create or replace function close_report(report_id uuid) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  there user_report;
begin
  perform require_read_committed();
  select * into there from user_report r where r.id = report_id for update;
  if there.id is null then
    return null;
  elsif there.closed_at is not null then
    return false;
  end if;
  update user_report r set closed_at = greatest(domain_now(), r.created_at), closed_by = session_user
  where r.id = report_id;
  -- The audit log is written last, because its lock must be acquired last.
  perform record_audit('reports close', jsonb_build_object('report', report_id),
    jsonb_build_object('state', 'open'), jsonb_build_object('state', 'closed'));
  return true;
end $$
