-- One-time tickets, with which a client opens a stream of the HTTP API without a token in the URL. A row is deleted
-- when its ticket is used. Rows of tickets that were not used are deleted when a later ticket is created.
create table stream_ticket (
  -- The SHA-256 of the ticket, so that the table does not contain the ticket itself.
  hash bytea primary key check (octet_length(hash) = 32),
  -- The user and the end of the user's token or session, as the API wrote them.
  content text not null check (octet_length(content) <= 4096),
  expires_at timestamptz not null
);
create index stream_ticket_end on stream_ticket (expires_at);
