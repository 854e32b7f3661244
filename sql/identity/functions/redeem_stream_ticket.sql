-- Deletes a stream ticket and returns its content. If the ticket is unknown, expired or already used, the result is
-- null. If two transactions use a ticket at the same time, the second transaction waits for the first one and gets
-- null. Locks: the row of the ticket. Index: stream_ticket_pkey.
create or replace function redeem_stream_ticket(ticket_hash bytea) returns text
language plpgsql security definer set search_path from current as $$
declare
  found_content text;
begin
  perform require_read_committed();
  delete from stream_ticket t where t.hash = ticket_hash and t.expires_at > pg_catalog.now()
  returning t.content into found_content;
  return found_content;
end $$
